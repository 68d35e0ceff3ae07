import { expect, test } from "vitest";
import { groupWaiting, progressOf, toStopPatterns } from "./waiting-groups.ts";

const proposal = (id: string, agent = "Toy") => ({ id, agent });

test("proposals are listed by turn, and by agent where no turn is known; a group stays where its first one is", () => {
  const turns = [
    { id: "7", waiting: ["a", "d"], decided: 3 },
    { id: "8", waiting: ["b"], decided: 0 },
  ];
  const groups = groupWaiting(
    [proposal("a"), proposal("b", "Other"), proposal("c", "Third"), proposal("d"), proposal("e", "Third")],
    turns,
  );
  expect(groups.map(({ key, turn, proposals }) => [key, turn?.id, proposals.map(({ id }) => id)])).toEqual([
    ["turn:7", "7", ["a", "d"]],
    ["turn:8", "8", ["b"]],
    ["agent:Third", undefined, ["c", "e"]],
  ]);
  expect(groups.map(progressOf)).toEqual([
    { decided: 3, total: 5 },
    { decided: 0, total: 1 },
    { decided: 0, total: 2 },
  ]);
});

test("patterns stand one a line, or with commas between them", () => {
  expect(toStopPatterns(" *.sql, migrations/\n\n,!a b ")).toEqual(["*.sql", "migrations/", "!a b"]);
  expect(toStopPatterns(" , ")).toEqual([]);
});
