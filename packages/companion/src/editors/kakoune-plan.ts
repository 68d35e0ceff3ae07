import { firstSteps, type MakePlan, requireCommand } from "./set-up/plan.ts";
import { isManuallySetUp, manuallySetUp } from "./set-up/text-file.ts";

/** Not in Kakoune's `autoload`: a user's own takes the place of all that Kakoune brings. */
export const planKakoune: MakePlan = (machine) => {
  requireCommand(machine);
  const { config, data, join } = machine.userFolders;
  const folder = join(data, "ide-companion", "kakoune");
  const kakrc = join(machine.host.env.KAKOUNE_CONFIG_DIR || join(config, "kak"), "kakrc");
  if (isManuallySetUp(kakrc, "#", /\bide-companion\.kak\b/)) return manuallySetUp;
  const lines = [
    `source '${join(folder, "ide-companion.kak").replaceAll("'", "''")}'`,
    "ide-companion-enable",
  ];
  return {
    parts: [
      { kind: "folder", path: folder, from: join(machine.plugins, "kakoune") },
      { kind: "file", path: kakrc, edit: { kind: "block", comment: "#", lines } },
    ],
    next: [
      ...firstSteps("Kakoune", machine),
      "Two more lines for your kakrc: the first reloads files that an agent has written, the second puts the commands behind <space>i.",
      "set-option global autoreload yes",
      "map global user i ':enter-user-mode ide-companion<ret>'",
    ],
  };
};
