import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder, privateHost } from "../../../testing/core.ts";
import { createProposalFolder } from "./proposal-folder.ts";

test("is made with the first proposal, in the user's runtime folder where there is one", () => {
  const runtime = privateFolder();
  const folder = createProposalFolder({ ...privateHost(), env: { XDG_RUNTIME_DIR: runtime } });
  expect(readdirSync(runtime)).toEqual([]);
  const file = folder.write("1", "/somewhere/-a b.txt", "text");
  expect(file.startsWith(runtime)).toBe(true);
  expect(path.basename(file)).toBe("-a b.txt");
  folder.close();
  expect(readdirSync(runtime)).toEqual([]);
});

test("what killed companions have left is swept, and nothing else", () => {
  const host = privateHost();
  const make = (name: string) => {
    mkdirSync(path.join(host.tmp, name));
    return path.join(host.tmp, name);
  };
  const [dead, living, other] = [
    make("ide-companion-proposals-111-abcdef"),
    make("ide-companion-proposals-222-abcdef"),
    make("ide-companion-proposals-else"),
  ];
  createProposalFolder(host, (pid) => pid === 222);
  expect([dead, living, other].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});

test("knows its own files, and those of other companions, from the user's", () => {
  const host = privateHost();
  const [one, other] = [createProposalFolder(host), createProposalFolder(privateHost())];
  const file = one.write("1", "/a.txt", "");
  expect(other.holds(file)).toBe(true);
  expect(other.holds(path.dirname(path.dirname(file)))).toBe(true);
  expect(other.holds("/home/ada/ide-companion-proposals.txt")).toBe(false);
  one.close();
});
