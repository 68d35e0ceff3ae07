import { afterChurn } from "./after-churn.mjs";
import { broadcast, oneEvent, stalledClient } from "./contexts.mjs";
import {
  editorDiff,
  editorKey,
  editorMarks,
  editorMoves,
  editorStart,
  vscodeActivation,
} from "./editors.mjs";
import { openDiff } from "./open-diff.mjs";
import { largePage, writtenTurn } from "./pages.mjs";
import { plainTyping } from "./plain-typing.mjs";
import { memory, startUp } from "./processes.mjs";
import { hook, snapshot } from "./written.mjs";

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
