import type { MakePlan } from "../installer.ts";
import { firstSteps } from "./first-steps.ts";
import { requireCommand } from "./require-command.ts";

/** By Kate's own language client. */
export const planKate: MakePlan = (machine) => {
  requireCommand(machine);
  const { qtConfig, join } = machine.places;
  const server = {
    command: ["ide-companion", "lsp"],
    initializationOptions: { editor: "Kate" },
    root: ".",
    highlightingModeRegex: ".*",
  };
  return {
    parts: [
      {
        kind: "file",
        path: join(qtConfig, "kate", "lspclient", "settings.json"),
        edit: { kind: "json", values: [{ key: ["servers", "0-ide-companion"], value: server }] },
      },
    ],
    next: [
      "Kate asks one server for a document, and now it is this one for every document: docs/editors/kate.md tells how to keep others.",
      ...firstSteps("Kate"),
      "Kate asks once whether it may start the server.",
    ],
  };
};
