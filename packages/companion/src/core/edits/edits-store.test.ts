import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { thisProcess } from "../../system/record-owner.ts";
import type { Proposal } from "../editor.ts";
import { EditsStore } from "./edits-store.ts";
import { openEditsFolder } from "./recovered-edits.ts";

const proposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Gemini CLI",
  filePath: "/project/a.ts",
  newContent: "proposed",
  base: { kind: "missing" },
  openedAt: 0,
};

function createStore(folder = join(privateFolder(), "edits")) {
  const warnings: string[] = [];
  const onChange = vi.fn();
  const store = new EditsStore({
    folder: openEditsFolder(folder),
    onChange,
    onWarning: (message) => warnings.push(message),
  });
  return { folder, store, warnings, onChange };
}

/** A record as a companion of another process has left it. */
function leave(folder: string, id: string, owner: object, at = Date.now()) {
  mkdirSync(folder, { recursive: true });
  const record = { id, filePath: "/project/a.ts", agent: "Qwen Code", at, reason: "session-ended" };
  const text = JSON.stringify({ ...record, proposed: "p", text: id, owner });
  writeFileSync(join(folder, `${id}.json`), text, { mode: 0o600 });
}

const idsOf = (store: EditsStore) => store.list().map(({ id }) => id);

test("what is typed is in a private file shortly after, and no longer when it is the proposal again", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { folder, store } = createStore();
  const draft = store.draftOf(proposal);
  draft.save("m");
  vi.advanceTimersByTime(100);
  draft.save("mine");
  expect(existsSync(folder)).toBe(false);
  vi.advanceTimersByTime(60);
  const [name = ""] = readdirSync(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toMatchObject({
    text: "mine",
    owner: thisProcess(),
  });
  expect(store.list()).toEqual([]);
  draft.save("proposed");
  expect(readdirSync(folder)).toEqual([]);
});

test("a text of many megabytes, with every character that there is, comes back as it was", () => {
  const { folder, store } = createStore();
  const text = `${"\uD800\0\uFEFF\r\n\u2028😀".repeat(500_000)}end`;
  const { id } = store.add({ ...proposal, proposed: "", text, reason: "session-ended" });
  expect(createStore(folder).store.read(id)?.text === text).toBe(true);
});

test("a draft whose companion was killed is recovered, one of a companion that lives is not", async () => {
  const { folder, store } = createStore();
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const stat = readFileSync(`/proc/${child.pid}/stat`, "latin1");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  leave(folder, "00000001", { pid: child.pid, host: hostname(), start });
  // The number of a process that has ended, which another one has now.
  leave(folder, "00000002", { pid: child.pid, host: hostname(), start: "1" });
  // From before the machine was restarted.
  leave(folder, "00000003", { pid: child.pid, host: hostname(), start, boot: "another" });
  leave(folder, "00000004", { pid: child.pid, host: hostname(), start }, 1000);
  expect(idsOf(store).sort()).toEqual(["00000002", "00000003", "00000004"]);
  expect(store.read("00000001")).toBeUndefined();
  expect(store.discard("00000001")).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(idsOf(store)).toHaveLength(4);
  expect(store.read("00000001")).toMatchObject({ text: "00000001" });
});

test("a draft is its companion's also after the clock was put forward, as where a virtual machine goes on", () => {
  const { folder, store } = createStore();
  const beforeStart = Date.now() - uptime() * 1000 - 3_600_000;
  leave(folder, "00000001", thisProcess(), beforeStart);
  expect(store.list()).toEqual([]);
});

test("a draft of another machine, or container, with the same home is recovered when it has been silent for long", () => {
  const { folder, store } = createStore();
  const owner = { pid: process.pid, host: "another machine", start: "" };
  leave(folder, "00000001", owner);
  leave(folder, "00000002", owner, Date.now() - 3_600_000);
  expect(idsOf(store)).toEqual(["00000002"]);
});

test("two companions at once share the folder without harming each other", () => {
  const one = createStore();
  const other = createStore(one.folder);
  const [mine, theirs] = [one.store.draftOf(proposal), other.store.draftOf(proposal)];
  mine.save("mine");
  theirs.save("theirs");
  one.store.flush();
  other.store.flush();
  one.store.close();
  expect(other.store.list()).toHaveLength(1);
  theirs.save("theirs too");
  other.store.flush();
  expect(readdirSync(one.folder)).toHaveLength(2);
  other.store.close();
  const texts = one.store.list().map(({ id }) => one.store.read(id)?.text);
  expect(texts.sort()).toEqual(["mine", "theirs too"]);
});

test("what a file holds by now is not offered any more", () => {
  const { folder, store } = createStore();
  const filePath = join(privateFolder(), "a.ts");
  store.add({ ...proposal, filePath, proposed: "", text: "mine\r\n", reason: "session-ended" });
  writeFileSync(filePath, "mine\n");
  expect(store.list()).toHaveLength(1);
  writeFileSync(filePath, "mine\r\n");
  expect(store.list()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test("damaged and foreign files are reported once, and neither used nor deleted", () => {
  const { folder, store, warnings } = createStore();
  const { id } = store.add({ ...proposal, proposed: "", text: "mine", reason: "session-ended" });
  const names = ["aaaaaaaa.json", "bbbbbbbb.json", "cccccccc.json", "notes.txt"];
  writeFileSync(join(folder, "aaaaaaaa.json"), '{"id":"aaaaaaaa"');
  writeFileSync(join(folder, "bbbbbbbb.json"), JSON.stringify({ id: "bbbbbbbb", text: 7 }));
  symlinkSync(join(folder, `${id}.json`), join(folder, "cccccccc.json"));
  writeFileSync(join(folder, "notes.txt"), "mine");
  expect(idsOf(store)).toEqual([id]);
  expect(idsOf(store)).toEqual([id]);
  expect(warnings).toHaveLength(4);
  for (const name of names) {
    expect(existsSync(join(folder, name))).toBe(true);
    expect(warnings.join("\n")).toContain(`${join(folder, name)} holds no edits that can be read`);
  }
  for (const wrong of ["../../x", "", "aaaaaaaa", "cccccccc"]) {
    expect([store.read(wrong), store.discard(wrong)]).toEqual([undefined, false]);
  }
});

test("a folder that is not ours alone is used for nothing, and that is reported", () => {
  const elsewhere = privateFolder();
  chmodSync(elsewhere, 0o755);
  const folder = join(privateFolder(), "edits");
  symlinkSync(elsewhere, folder);
  const { store, warnings } = createStore(folder);
  const draft = store.draftOf(proposal);
  draft.hold("mine", "session-ended");
  expect(warnings[0]).toContain("is a symlink, and must be a folder of yours");
  expect(draft.recover("mine", "session-ended")).toMatchObject({ text: "mine" });
  expect(store.list()).toHaveLength(1);
  expect(() => store.add({ ...proposal, proposed: "", text: "x", reason: "" })).toThrow("is a symlink");
  store.close();
  expect(warnings.at(-1)).toContain("and are lost now");
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("a text for which a full disk has room again is saved, whatever it has no room for", () => {
  const path = join(privateFolder(), "edits");
  const folder = openEditsFolder(path);
  let room = 0;
  const write = folder.write.bind(folder);
  folder.write = (record, flush) => {
    if (record.text.length > room) throw new Error("ENOSPC: no space left on device");
    write(record, flush);
  };
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const store = new EditsStore({ folder, onWarning });
  for (const text of ["long".repeat(100), "short"]) store.draftOf(proposal).recover(text, "session-ended");
  room = 100;
  store.close();
  expect(warnings.filter((one) => one.includes("are lost now"))).toHaveLength(1);
  const next = createStore(path).store;
  expect(next.list().map(({ id }) => next.read(id)?.text)).toEqual(["short"]);
});

test("the list is news when it is another one, and only then", () => {
  const { store, onChange } = createStore();
  const draft = store.draftOf(proposal);
  draft.hold("mine", "session-ended");
  draft.drop();
  expect(onChange).not.toHaveBeenCalled();
  const other = store.draftOf(proposal);
  const { id = "" } = other.recover("mine", "session-ended") ?? {};
  expect(onChange).toHaveBeenCalledTimes(1);
  store.discard(id);
  expect(onChange).toHaveBeenCalledTimes(2);
  other.drop();
  expect(onChange).toHaveBeenCalledTimes(2);
});
