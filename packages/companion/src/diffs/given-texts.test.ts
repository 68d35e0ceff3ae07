import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainManners } from "../agents/agent.ts";
import { privateFolder } from "../testing/core.ts";
import type { DiffOwner, Taken } from "./diff-owner.ts";
import { stampOf } from "./file-stamp.ts";
import { type GivenText, GivenTexts } from "./given-texts.ts";

const never = (): Taken => "no";

function given(ownerId: string, filePath: string, content: string, hasTaken = never): GivenText {
  const owner: DiffOwner = {
    id: ownerId,
    agent: ownerId,
    manners: plainManners,
    isOver: false,
    deliver: () => {},
    hasTaken,
    forgetOutcomes: () => {},
  };
  const proposal = { id: "1", sessionId: ownerId, agent: ownerId, filePath, newContent: "", openedAt: 0 };
  return { owner, proposal, content, stamp: stampOf(filePath) };
}

const texts = (all: readonly GivenText[]) => all.map(({ content }) => content);

test("an agent's texts are taken once, all or those for one file, and only what it may lack", () => {
  const shelf = new GivenTexts();
  shelf.add(given("1", "/a", "of a"));
  shelf.add(given("1", "/b", "of b"));
  shelf.add(given("2", "/a", "another's"));
  let taken: Taken = "no";
  shelf.add(given("1", "/c", "of c", () => taken));
  taken = "yes";
  expect(texts(shelf.take("1", "/a"))).toEqual(["of a"]);
  expect(texts(shelf.take("1"))).toEqual(["of b"]);
  expect(texts(shelf.take("1"))).toEqual([]);
  expect(texts(shelf.take("2"))).toEqual(["another's"]);
});

test("an agent that may stand still lacks a text as long as its file is as it was when the text was given", () => {
  const shelf = new GivenTexts();
  const folder = privateFolder();
  const path = (name: string) => join(folder, name);
  for (const name of ["same", "changed", "deleted"]) writeFileSync(path(name), "before");
  const names = ["same", "changed", "deleted", "not made", "made", "elsewhere/unseen"];
  for (const name of names) shelf.add(given("1", path(name), `of ${name}`, () => "perhaps"));
  writeFileSync(path("changed"), "after.");
  writeFileSync(path("made"), "after");
  rmSync(path("deleted"));
  expect(texts(shelf.take("1"))).toEqual(["of same", "of not made"]);
});

test("the oldest texts make room for newer ones, after those that have been taken", () => {
  const shelf = new GivenTexts({ texts: 3, units: 10 });
  let taken: Taken = "no";
  shelf.add(given("1", "/a", "a", () => taken));
  shelf.add(given("1", "/b", "b"));
  shelf.add(given("1", "/c", "c"));
  taken = "yes";
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
