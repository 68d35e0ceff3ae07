import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
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

test("is made anew when a system has cleared its temporary folder, and not in what lies there instead", () => {
  const host = privateHost();
  const folder = createProposalFolder(host);
  const first = folder.write("1", "/somewhere/a.txt", "first");
  const own = path.dirname(path.dirname(first));
  rmSync(own, { recursive: true });
  symlinkSync(privateFolder(), own);
  const second = folder.write("2", "/somewhere/a.txt", "second");
  expect(path.dirname(path.dirname(second))).not.toBe(own);
  expect(readFileSync(second, "utf8")).toBe("second");
  expect(statSync(path.dirname(path.dirname(second))).mode & 0o777).toBe(0o700);
  folder.close();
  expect(existsSync(second)).toBe(false);
});
