import { afterChurn } from "./after-churn.mjs";
import { broadcast } from "./broadcast.mjs";
import {
  editorDiff,
  editorKey,
  editorMarks,
  editorMoves,
  editorStart,
  vscodeActivation,
} from "./editors.mjs";
import { largePage } from "./large-page.mjs";
import { memory } from "./memory.mjs";
import { oneEvent } from "./one-event.mjs";
import { openDiff } from "./open-diff.mjs";
import { plainTyping } from "./plain-typing.mjs";
import { stalledClient } from "./stalled-client.mjs";
import { startUp } from "./start-up.mjs";
import { hook, snapshot } from "./written.mjs";
import { writtenTurn } from "./written-turn.mjs";

/**
 * What a figure gets.
 * @typedef {object} Bench
 * @property {string} bundles folder of the bundled servers
 * @property {import("../testkit.mjs").Folders} sandbox
 * @property {number} rounds
 */

/** The tables of the document; their figures by name, each of which measures and returns rows. */
export const tables = {
  companion: {
    "one-event": oneEvent,
    "after-churn": afterChurn,
    "stalled-client": stalledClient,
    broadcast,
    "open-diff": openDiff,
    "start-up": startUp,
    memory,
    "plain-typing": plainTyping,
    "large-page": largePage,
    hook,
    snapshot,
    "written-turn": writtenTurn,
  },
  editors: {
    "editor-start": editorStart,
    "editor-moves": editorMoves,
    "editor-marks": editorMarks,
    "editor-key": editorKey,
    "editor-diff": editorDiff,
    "vscode-activation": vscodeActivation,
  },
};

/** All of them, by name. */
export const figures = { ...tables.companion, ...tables.editors };
