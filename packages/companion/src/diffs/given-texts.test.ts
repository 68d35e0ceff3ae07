import { expect, test } from "vitest";
import { plainManners } from "../agents/agent.ts";
import type { DiffOwner } from "./diff-owner.ts";
import { type GivenText, GivenTexts } from "./given-texts.ts";

function given(ownerId: string, filePath: string, content: string, mayLack = () => true): GivenText {
  const owner: DiffOwner = {
    id: ownerId,
    agent: ownerId,
    manners: plainManners,
    isOver: false,
    deliver: () => {},
    mayLack,
    forgetOutcomes: () => {},
  };
  const proposal = { id: "1", sessionId: ownerId, agent: ownerId, filePath, newContent: "", openedAt: 0 };
  return { owner, proposal, content };
}

const texts = (all: readonly GivenText[]) => all.map(({ content }) => content);

test("an agent's texts are taken once, all or those for one file, and only what it may lack", () => {
  const shelf = new GivenTexts();
  shelf.add(given("1", "/a", "of a"));
  shelf.add(given("1", "/b", "of b"));
  shelf.add(given("2", "/a", "another's"));
  let hasTaken = false;
  shelf.add(given("1", "/c", "of c", () => !hasTaken));
  hasTaken = true;
  expect(texts(shelf.take("1", "/a"))).toEqual(["of a"]);
  expect(texts(shelf.take("1"))).toEqual(["of b"]);
  expect(texts(shelf.take("1"))).toEqual([]);
  expect(texts(shelf.take("2"))).toEqual(["another's"]);
});

test("the oldest texts make room for newer ones, after those that have been taken", () => {
  const shelf = new GivenTexts({ texts: 3, units: 10 });
  let hasTaken = false;
  shelf.add(given("1", "/a", "a", () => !hasTaken));
  shelf.add(given("1", "/b", "b"));
  shelf.add(given("1", "/c", "c"));
  hasTaken = true;
  expect(texts(shelf.add(given("1", "/d", "d")))).toEqual([]);
  expect(texts(shelf.add(given("1", "/e", "e")))).toEqual(["b"]);
  expect(texts(shelf.add(given("1", "/f", "12345678")))).toEqual(["c"]);
  expect(texts(shelf.add(given("1", "/g", "longer than ten")))).toEqual([
    "d",
    "e",
    "12345678",
    "longer than ten",
  ]);
});
