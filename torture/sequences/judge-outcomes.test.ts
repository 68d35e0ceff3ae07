import { expect, test } from "vitest";
import type { CliOutcome, CliSession } from "../harness/cli.ts";
import { judgeOutcomes } from "./judge-outcomes.ts";
import type { Connected } from "./record.ts";

const rejected: CliOutcome = { kind: "rejected", filePath: "/a" };

/** A session of Gemini CLI whose editor has been killed. */
function orphan(outcomes: readonly CliOutcome[]): Connected {
  const refuse = () => Promise.reject(new Error("not to be called"));
  const session: CliSession = {
    label: "Gemini CLI",
    behaviour: {
      ignoresEmptyText: true,
      outwaitsCompanion: true,
      dropsByteOrderMark: true,
      takesNoEdits: false,
      holdsCalls: false,
    },
    outcomes,
    context: undefined,
    isStreaming: false,
    waiting: undefined,
    open: refuse,
    close: refuse,
    leave: refuse,
    kill: refuse,
  };
  const ended = { isOver: true, underway: [], end: "kill editor" } as const;
  return { cli: 0, editor: 0, port: 1, session, expected: [], written: 0, ...ended };
}

/** What is wrong when the editor was killed while a proposal was on its way to its screen. */
function judgeProposalOnItsWay(outcomes: readonly CliOutcome[]): string[] {
  const connected = orphan(outcomes);
  const dones = [{ action: { do: "open", cli: 0, file: 0, text: "" }, connected, path: "/a" }] as const;
  const complaints: string[] = [];
  const seen = { dones, sessions: [connected], before: [], news: [[], []] };
  judgeOutcomes(seen, [], (complaint) => void complaints.push(complaint));
  return complaints;
}

test("a proposal that was on its way to the screen of an editor that is killed may be reported as rejected, once", () => {
  expect(judgeProposalOnItsWay([])).toEqual([]);
  expect(judgeProposalOnItsWay([rejected])).toEqual([]);
  expect(judgeProposalOnItsWay([rejected, rejected])).toEqual([
    expect.stringContaining(
      "has received /a rejected, which was not decided, or once more than it was decided",
    ),
  ]);
  expect(judgeProposalOnItsWay([{ kind: "accepted", filePath: "/a", content: "" }])).toHaveLength(1);
});

test("an editor that is killed with a decision on its way need not have its diff rejected, and may", () => {
  const accepted: CliOutcome = { kind: "accepted", filePath: "/a", content: "mine" };
  const judge = (...outcomes: readonly CliOutcome[]): string[] => {
    const connected = orphan(outcomes);
    const diff = {
      ...{ editor: 0, id: "1", path: "/a", proposed: "new", text: "mine", connected },
      isOfThisSequence: true,
    };
    const error = "Connection is closed.";
    const action = { do: "accept", editor: 0, pick: 0 } as const;
    const dones = [{ action, diff, text: "mine", error }];
    const complaints: string[] = [];
    const seen = { dones, sessions: [connected], before: [diff], news: [[], []] };
    const ends = [{ diff, taken: [], closed: [] }];
    judgeOutcomes(seen, ends, (complaint) => void complaints.push(complaint));
    return complaints;
  };
  expect([judge(), judge(accepted), judge(rejected)]).toEqual([[], [], []]);
  expect(judge(accepted, accepted)).toHaveLength(1);
});

test("a CLI that leaves or is killed while its companion ends may hear its diff rejected, once", () => {
  const judge = (departure: "leave" | "kill cli", ...outcomes: readonly CliOutcome[]): string[] => {
    const { end: _, ...connected } = orphan(outcomes);
    const diff = {
      ...{ editor: 0, id: "1", path: "/a", proposed: "new", text: "new", connected },
      isOfThisSequence: true,
    };
    const dones = [
      { action: { do: departure, cli: 0 }, connected },
      { action: { do: "restart", editor: 0 } },
    ] as const;
    const complaints: string[] = [];
    const seen = { dones, sessions: [connected], before: [diff], news: [[], []] };
    const ends = [{ diff, taken: [], closed: [] }];
    judgeOutcomes(seen, ends, (complaint) => void complaints.push(complaint));
    return complaints;
  };
  expect([judge("leave"), judge("leave", rejected), judge("kill cli", rejected)]).toEqual([[], [], []]);
  expect(judge("kill cli", rejected, rejected)).toHaveLength(1);
  expect(judge("leave", { kind: "accepted", filePath: "/a", content: "new" })).toHaveLength(1);
});
