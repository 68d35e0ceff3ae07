import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { thisProcess } from "../../system/record-owner.ts";
import type { Comment, Proposal } from "../editor.ts";
import { openCommentsFolder } from "./comment.ts";
import { CommentsStore } from "./comments-store.ts";

const proposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Gemini CLI",
  filePath: "/project/a.ts",
  newContent: "proposed",
  base: { kind: "missing" },
  openedAt: 0,
};

const comment = (text: string): Comment => ({
  id: text,
  side: "proposed",
  startLine: 1,
  endLine: 1,
  quote: "proposed",
  text,
});

function createStore(folder = join(privateFolder(), "comments")) {
  const warnings: string[] = [];
  const onChange = vi.fn();
  const store = new CommentsStore({
    folder: openCommentsFolder(folder),
    onChange,
    onWarning: (message) => warnings.push(message),
  });
  // What it still saves would bring the folder back.
  onTestFinished(() => store.close());
  const texts = () => store.list().flatMap(({ comments }) => comments.map(({ text }) => text));
  const files = () => (existsSync(folder) ? readdirSync(folder) : []);
  return { folder, store, warnings, onChange, texts, files };
}

test("what is written is in a private file shortly after, and no longer when it has been deleted", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { folder, store, files } = createStore();
  const draft = store.draftOf(proposal);
  draft.save([comment("W")]);
  vi.advanceTimersByTime(100);
  draft.save([comment("Why?"), comment(" \n")]);
  expect(files()).toEqual([]);
  vi.advanceTimersByTime(50);
  const [name = ""] = files();
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toMatchObject({
    filePath: "/project/a.ts",
    comments: [comment("Why?")],
    owner: thisProcess(),
  });
  expect(store.list()).toEqual([]);
  draft.save([]);
  expect(files()).toEqual([]);
});

test("the comments of a companion that has crashed are listed, those of one that runs are not", async () => {
  const { folder, store, texts } = createStore();
  const ended = spawn(process.execPath, ["--version"]);
  await once(ended, "exit");
  mkdirSync(folder, { recursive: true });
  const leave = (id: string, pid: number) => {
    const record = {
      id,
      filePath: "/a",
      agent: "A",
      at: Date.now(),
      reason: "It ended.",
      comments: [comment(id)],
    };
    const text = JSON.stringify({ ...record, owner: { ...thisProcess(), pid } });
    writeFileSync(join(folder, `${id}.json`), text, { mode: 0o600 });
  };
  leave("00000001", ended.pid ?? 0);
  leave("00000002", process.pid);
  expect(texts()).toEqual(["00000001"]);
  expect(store.read("00000002")).toBeUndefined();
  expect(store.discard("00000002")).toBe(false);
  expect(store.discard("00000001")).toBe(true);
  expect(texts()).toEqual([]);
});

test("comments that outlast their companion elsewhere take the place of what it has saved of them", () => {
  const { store, texts } = createStore();
  const draft = store.draftOf(proposal);
  draft.save([comment("Why?")]);
  draft.hold({ kind: "rejected", comments: [comment("Why?")] });
  draft.recover("The companion stopped before the agent had your comments.");
  store.draftOf(proposal).save([comment("of another change")]);
  const { filePath, agent } = proposal;
  const later = [{ ...comment("Why?"), text: "Why, really?" }, comment("And this?")];
  store.add({ filePath, agent, reason: "It was restarted.", comments: later });
  expect(texts()).toEqual(["Why, really?", "And this?"]);
  expect(store.list()).toMatchObject([{ reason: "It was restarted.", outcome: "rejected" }]);
  // Those on another file, and others on this one, stay.
  store.add({ filePath: "/project/b.ts", agent, reason: "It was restarted.", comments: [comment("Why?")] });
  store.add({ filePath, agent, reason: "It was restarted.", comments: [comment("New")] });
  expect(texts().sort()).toEqual(["And this?", "New", "Why, really?", "Why?"]);
});

test("comments that an agent has are gone, and what arrives of them later does not bring them back", () => {
  const { store, files, texts } = createStore();
  const draft = store.draftOf(proposal);
  draft.hold({ kind: "rejected", comments: [comment("Why?")] });
  expect(files()).toHaveLength(1);
  draft.save([comment("Why?")]);
  draft.delivered();
  draft.save([comment("Why?")]);
  store.close();
  expect([files(), texts()]).toEqual([[], []]);
});

test("the user who still writes when a change is closed elsewhere loses none of it", () => {
  const { store, texts, onChange } = createStore();
  const draft = store.draftOf(proposal);
  draft.save([comment("W")]);
  draft.recover("Closed.", "closed");
  draft.save([comment("Why?")]);
  expect(texts()).toEqual(["Why?"]);
  expect(store.list()).toMatchObject([{ reason: "Closed.", outcome: "closed" }]);
  onChange.mockClear();
  draft.save([]);
  expect(texts()).toEqual([]);
  expect(onChange).toHaveBeenCalled();
});

test("what the disk does not take stays in memory, with a warning, until there is room", () => {
  const parent = privateFolder();
  const folder = join(parent, "file", "comments");
  writeFileSync(join(parent, "file"), "no folder");
  const { store, warnings, texts } = createStore(folder);
  store.draftOf(proposal).hold({ kind: "rejected", comments: [comment("Why?")] });
  const other = store.draftOf(proposal);
  other.save([comment("And this?")]);
  other.recover("Closed.");
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain("Your comments on /project/a.ts cannot be saved");
  expect(texts()).toEqual(["And this?"]);
  store.close();
  expect(warnings.at(-1)).toContain("are lost now");
});

test("a damaged file is left as it is, and said once", () => {
  const { folder, store, warnings } = createStore();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "0000000a.json"), "{", { mode: 0o600 });
  chmodSync(folder, 0o700);
  store.list();
  store.list();
  expect(warnings).toEqual([expect.stringContaining("holds no comments that can be read")]);
});
