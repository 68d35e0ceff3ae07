import type { Proposal } from "ide-companion";

/** What a toy agent proposes: a new file. */
export const toyProposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Toy",
  filePath: "/nowhere/a.txt",
  newContent: "new\n",
  base: { kind: "missing" },
  openedAt: 0,
};
