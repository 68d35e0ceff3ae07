import { observed, type Requirement, recommended } from "../../requirement.ts";

export const discovery: readonly Requirement[] = [
  {
    id: "CD1",
    level: "MUST",
    rule: 'A lock file `<config>/ide/<port>.lock` holds a JSON object with `pid`, `workspaceFolders`, `ideName`, `transport: "ws"` and `authToken`. `<config>` is `$CLAUDE_CONFIG_DIR` or `~/.claude`.',
    sources: [
      observed(
        "The CLI reads both folders, and the port in the name. With any other `transport` the CLI speaks an older protocol, and sends no token.",
      ),
    ],
  },
  {
    id: "CD2",
    level: "MUST",
    rule: "Nobody but its user can read the lock file (mode 0600) or list its folder (0700).",
    sources: [recommended("Anybody who has the token can put texts into the user's files.")],
  },
  {
    id: "CD3",
    level: "MUST",
    rule: "`pid` is the number of a process that runs.",
    sources: [observed("The CLI deletes the lock file of a dead process when it starts.")],
  },
  {
    id: "CD4",
    level: "MUST",
    rule: "`workspaceFolders` has the real path of each open folder.",
    sources: [
      observed(
        "The CLI connects when its folder is one of these or below one. A symbolic link to its folder does not match.",
      ),
    ],
  },
  {
    id: "CD5",
    level: "MUST",
    rule: "One companion has one lock file, with all of its folders.",
    sources: [observed("When two lock files match its folder, the CLI connects to neither.")],
  },
  {
    id: "CD6",
    level: "SHOULD",
    rule: "When a folder is opened, the lock file names it too.",
    sources: [observed("The CLI reads the folders each time it looks for its IDE.")],
  },
  {
    id: "CD7",
    level: "SHOULD",
    rule: "Terminals of the editor have `CLAUDE_CODE_SSE_PORT` with the port.",
    sources: [
      observed(
        "With it the CLI connects without being asked, in any folder, and when several lock files match.",
      ),
    ],
  },
];

export const lifecycle: readonly Requirement[] = [
  {
    id: "CL1",
    level: "MUST",
    rule: "When the companion ends, its lock file is removed and its port is closed.",
    sources: [observed("A CLI that starts later tries each lock file whose process runs.")],
  },
  {
    id: "CL2",
    level: "MUST",
    rule: "Lock files of other running companions stay.",
    sources: [recommended("Another editor would lose its CLIs.")],
  },
  {
    id: "CL3",
    level: "SHOULD",
    rule: "A companion that starts again in its folder has the same port and the same token.",
    sources: [
      observed(
        "The CLI tries the same address with the same token for about 13 s, and finds no other one before `/ide`.",
      ),
    ],
  },
  {
    id: "CL4",
    level: "MUST",
    rule: "A CLI whose socket broke connects again with the same token.",
    sources: [observed("It tries after 10 ms, with a full new handshake.")],
  },
];
