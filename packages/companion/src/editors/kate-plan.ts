import { parse } from "jsonc-parser";
import { z } from "zod";
import { firstSteps, type MakePlan, toServerCommand } from "./set-up/plan.ts";
import { manuallySetUp, readText } from "./set-up/text-file.ts";

const Own = z.looseObject({ servers: z.record(z.string(), z.looseObject({ command: z.unknown() })) });

/** Before all that Kate knows. */
const key = "0-ide-companion";

const isOurs = (command: unknown) => Array.isArray(command) && command.join(" ") === "ide-companion lsp";

/** By Kate's own language client. */
export const planKate: MakePlan = (machine) => {
  const command = toServerCommand(machine);
  const { qtConfig, join } = machine.userFolders;
  const server = {
    command: [...command],
    initializationOptions: { editor: "Kate" },
    root: ".",
    highlightingModeRegex: ".*",
  };
  const file = join(qtConfig, "kate", "lspclient", "settings.json");
  const own = Own.safeParse(parse((readText(file) ?? "").replace("\uFEFF", ""))).data?.servers ?? {};
  // By another name, as the page of Kate tells to keep other servers.
  const isThere = Object.entries(own).some(([name, { command }]) => name !== key && isOurs(command));
  if (isThere) return manuallySetUp;
  return {
    parts: [
      {
        kind: "file",
        path: file,
        edit: { kind: "json", values: [{ key: ["servers", key], value: server }] },
      },
    ],
    next: [
      'Kate asks one server for a document, and now it is this one for every document. To keep another one for some languages, name those that have none in "highlightingModeRegex", as in "^(Markdown|Python)$".',
      ...firstSteps("Kate", machine),
      "Kate asks once whether it may start the server.",
    ],
  };
};
