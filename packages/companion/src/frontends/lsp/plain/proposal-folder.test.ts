import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../../testkit/src/private-folder.ts";
import { privateHost } from "../../../testing/core.ts";
import { createProposalFolder } from "./proposal-folder.ts";

test("is made with the first proposal, and has its name where an editor shows the begin of a path", () => {
  const runtime = privateFolder();
  const tmp = path.join(privateFolder(), "a/long/way/down");
  mkdirSync(tmp, { recursive: true });
  const folder = createProposalFolder({ ...privateHost(tmp), env: { XDG_RUNTIME_DIR: runtime } });
  expect(readdirSync(runtime)).toEqual([]);
  const file = folder.write("1", { filePath: "/somewhere/-a b.txt", agent: "Gemini CLI" }, "text");
  expect(file.startsWith(path.join(runtime, "-a b.txt."))).toBe(true);
  expect(path.basename(file)).toBe("-a b.txt");
  folder.close();
  expect(readdirSync(runtime)).toEqual([]);
});

test("what killed companions have left is swept, and nothing else of the temporary folder", () => {
  const host = privateHost();
  const make = (name: string) => {
    mkdirSync(path.join(host.tmp, name));
    return path.join(host.tmp, name);
  };
  const [dead, living, other] = [
    make("a.txt.ide-proposal-111-abcdef"),
    make("a.txt.ide-proposal-222-abcdef"),
    make("a.txt.ide-proposal-else"),
  ];
  createProposalFolder(host, (pid) => pid === 222);
  expect([dead, living, other].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});

test("knows its own files, and those of other companions, from the user's", () => {
  const host = privateHost();
  const [one, other] = [createProposalFolder(host), createProposalFolder(privateHost())];
  const file = one.write("1", { filePath: "/a.txt", agent: "Gemini CLI" }, "");
  expect(other.holds(file)).toBe(true);
  expect(other.holds(path.dirname(file))).toBe(true);
  expect(other.holds("/home/ada/ide-proposal.txt")).toBe(false);
  one.close();
});

test("another one has a place when a system has cleared its temporary folder", () => {
  const host = privateHost();
  const folder = createProposalFolder(host);
  const first = folder.write("1", { filePath: "/somewhere/a.txt", agent: "Gemini CLI" }, "first");
  rmSync(path.dirname(first), { recursive: true });
  symlinkSync(privateFolder(), path.dirname(first));
  const second = folder.write("2", { filePath: "/somewhere/a.txt", agent: "Gemini CLI" }, "second");
  expect(path.dirname(second)).not.toBe(path.dirname(first));
  expect(readFileSync(second, "utf8")).toBe("second");
  expect(statSync(path.dirname(second)).mode & 0o777).toBe(0o700);
  folder.close();
  expect(existsSync(second)).toBe(false);
});

test.each([".note", "x".repeat(250), `${"x".repeat(39)}😀.txt`])("a file may be called %s", (name) => {
  const host = privateHost();
  const file = createProposalFolder(host).write(
    "1",
    { filePath: `/somewhere/${name}`, agent: "Qwen Code" },
    "proposed",
  );
  writeFileSync(file, "mine");
  const saved = { filePath: `/somewhere/${name}`, proposed: "proposed", text: "mine" };
  expect(createProposalFolder(host).findSavedEdits()).toMatchObject([saved]);
});

const about = { filePath: "/somewhere/a.txt", agent: "Gemini CLI" };

test("what a user has saved in a proposal outlives the end of its companion and the sweep of the next one", () => {
  const host = privateHost();
  const folder = createProposalFolder(host);
  const [plain, edited] = [folder.write("1", about, "proposed"), folder.write("2", about, "proposed")];
  writeFileSync(edited, "mine");
  folder.close();
  expect([plain, edited].map((file) => existsSync(file))).toEqual([false, true]);

  const next = createProposalFolder(host);
  const saved = { ...about, path: edited, proposed: "proposed", text: "mine" };
  expect(next.findSavedEdits()).toMatchObject([saved]);
  for (const each of next.findSavedEdits()) each.remove();
  expect(next.findSavedEdits()).toEqual([]);
  expect(readdirSync(host.tmp)).toEqual([]);
});

test("a proposal that its user has deleted holds nothing", () => {
  const folder = createProposalFolder(privateHost());
  rmSync(folder.write("1", about, "proposed"));
  expect(folder.findSavedEdits()).toEqual([]);
  folder.close();
});
