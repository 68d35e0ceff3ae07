import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { poll } from "../../../../testkit/src/waiting.ts";
import { readFileNow } from "../../files/file-text.ts";
import { historyFolder } from "../../system/host.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import type { Proposal } from "../editor.ts";
import type { Settlement } from "../events.ts";
import { inEnglish, type OutcomeCode, outcomes } from "../sentences.ts";
import { createSharing } from "../sharing/sharing.ts";
import { History, outcomeOf } from "./history.ts";
import { historyLimits, maxUnits, openHistoryFolder } from "./past-decision.ts";

const proposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Gemini CLI",
  filePath: "/project/a.ts",
  newContent: "proposed",
  base: { kind: "missing" },
  openedAt: 0,
};

const accepted: Settlement = { kind: "accepted", content: "mine", by: "user" };
const closed: Settlement = { kind: "closed", reason: "agent" };

/** The history of one user, with a file about which changes are proposed. */
function historyOf({ folder = join(privateFolder(), "history"), excluded = "", turn = "" } = {}) {
  const filePath = join(privateFolder(), "a.ts");
  writeFileSync(filePath, "before");
  const warnings: string[] = [];
  const history = new History({
    folder: openHistoryFolder(folder),
    sharing: { check: async (path) => path === excluded || excluded === "all" },
    turnOf: () => turn || undefined,
    onWarning: (message) => warnings.push(message),
  });
  const propose = (newContent = "proposed", path = filePath): Proposal => {
    const opened = { ...proposal, filePath: path, newContent, base: readFileNow(path).file };
    history.take({ kind: "diff-opened", proposal: opened });
    return opened;
  };
  const settle = (opened: Proposal, settlement: Settlement) =>
    history.take({ kind: "diff-settled", proposal: opened, settlement });
  const withTexts = () =>
    poll("decision with its texts", () => {
      const [one] = history.list();
      const decision = one && history.read(one.id);
      return decision?.texts && decision;
    });
  return { folder, filePath, history, warnings, propose, settle, withTexts };
}

test.each<[OutcomeCode, Settlement]>([
  ["accepted", { kind: "accepted", content: "proposed", by: "user" }],
  ["accepted-edited", { kind: "accepted", content: "mine", by: "user" }],
  ["accepted-by-agent", { kind: "accepted", content: "proposed", by: "agent" }],
  ["accepted-by-agent-edited", { kind: "accepted", content: "mine", by: "agent" }],
  ["rejected", { kind: "rejected", by: "user" }],
  ["rejected-by-agent", { kind: "rejected", by: "agent" }],
  ["closed: agent", { kind: "closed", reason: "agent" }],
  ["closed: replaced", { kind: "closed", reason: "replaced" }],
  ["closed: session-ended", { kind: "closed", reason: "session-ended" }],
  ["closed: shutdown", { kind: "closed", reason: "shutdown" }],
])("the code of an outcome is %s, and a record that has its sentence is read", (code, settlement) => {
  expect(outcomeOf(proposal, settlement)).toBe(code);
  const folder = privateFolder();
  const older = { id: "00000001", at: 0, agent: "Gemini CLI", filePath: "/a", outcome: settlement.kind };
  const text = inEnglish(outcomes[code], "Gemini CLI");
  writeFileSync(join(folder, "00000001.json"), JSON.stringify({ ...older, text }), { mode: 0o600 });
  expect(openHistoryFolder(folder).read("00000001")).toEqual({ ...older, code });
});

test("a decision is in a private file with its texts, and with what became of its file", async () => {
  const { folder, filePath, history, propose, settle, withTexts } = historyOf();
  const opened = propose();
  settle(opened, accepted);
  const { id } = await withTexts();
  history.take({ kind: "file-checked", proposal: opened, result: "written", wasEdited: false });
  expect(history.read(id)).toEqual({
    id,
    at: expect.any(Number),
    agent: "Gemini CLI",
    filePath,
    outcome: "accepted",
    code: "accepted-edited",
    fileResult: "written",
    ...{ added: 1, removed: 1 },
    texts: { before: "before", proposed: "proposed", accepted: "mine" },
  });
  expect(readdirSync(folder)).toEqual([`${id}.json`]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, `${id}.json`)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(historyOf({ folder }).history.list()).toMatchObject([{ id }]);
});

test("what the user had typed in a change that was not accepted is with it", async () => {
  const { history, propose, withTexts } = historyOf();
  const opened = propose();
  const settlement: Settlement = { kind: "rejected", by: "user" };
  history.take({ kind: "diff-settled", proposal: opened, settlement, edited: "mine" });
  expect((await withTexts()).texts).toEqual({ before: "before", proposed: "proposed", edited: "mine" });
});

test("a new file had no text before, and one that holds none has an unknown one", async () => {
  const { filePath, propose, settle, withTexts, history } = historyOf();
  settle(propose("proposed", `${filePath}.new`), { kind: "rejected", by: "user" });
  const { id, texts } = await withTexts();
  expect(texts).toEqual({ before: null, proposed: "proposed" });
  history.discard(id);
  writeFileSync(filePath, Buffer.alloc(100));
  settle(propose(), { kind: "rejected", by: "user" });
  expect((await withTexts()).texts).toEqual({ proposed: "proposed" });
});

test("what an agent closes before anybody could see it is no decision, what it closes later is one", async () => {
  const { history, propose, settle, withTexts } = historyOf();
  settle(propose(), closed);
  expect(history.list()).toEqual([]);
  vi.useFakeTimers({ toFake: ["performance"] });
  const opened = propose();
  vi.advanceTimersByTime(20);
  vi.useRealTimers();
  settle(opened, closed);
  expect((await withTexts()).code).toBe("closed: agent");
});

test("texts of a file that is kept from agents, and very long ones, are not kept", async () => {
  const secret = historyOf({ excluded: "all" });
  secret.settle(secret.propose(), accepted);
  const long = historyOf();
  long.settle(long.propose("x".repeat(maxUnits)), accepted);
  // Read like this one, which is known once it has its texts.
  const other = historyOf();
  other.settle(other.propose(), accepted);
  await other.withTexts();
  for (const { history } of [secret, long]) {
    const [one] = history.list();
    expect(history.read(one?.id ?? "")).toMatchObject({ outcome: "accepted" });
    expect(history.read(one?.id ?? "")).not.toHaveProperty("texts");
  }
});

test("a decision that is discarded does not come back with what becomes of its file", async () => {
  const { history, propose, settle, withTexts } = historyOf();
  const opened = propose();
  settle(opened, accepted);
  const { id } = await withTexts();
  expect(history.discard(id)).toBe(true);
  history.take({ kind: "file-checked", proposal: opened, result: "written", wasEdited: false });
  expect([history.list(), history.discard(id)]).toEqual([[], false]);
});

test("the oldest decisions go when a limit is reached, and foreign files stay", () => {
  const { folder } = historyOf();
  mkdirSync(folder, { recursive: true });
  const day = 24 * 3600;
  const leave = (name: string, age: number, bytes = 10) => {
    writeFileSync(join(folder, name), "x".repeat(bytes));
    utimesSync(join(folder, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
  };
  leave("00000001.json", 0);
  leave("00000002.json", day / 2);
  leave("00000003.json", day * 2);
  leave("notes.txt", day * 9);
  const records = openHistoryFolder(folder);
  expect(records.prune({ days: 1, least: 1, records: 9, bytes: 1000 })).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(["00000001.json", "00000002.json", "notes.txt"]);
  expect(records.prune({ days: 9, least: 1, records: 1, bytes: 1000 })).toBe(1);
  leave("00000004.json", 60);
  expect(records.prune({ days: 9, least: 1, records: 9, bytes: 15 })).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(["00000001.json", "notes.txt"]);
});

test("a file that holds no decision is named, and left alone", () => {
  const { folder, history } = historyOf();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "00000001.json"), JSON.stringify({ id: "00000001", at: 1, outcome: "lost" }));
  expect([history.list(), history.read("00000001")]).toEqual([[], undefined]);
  const { problems } = openHistoryFolder(folder).scan();
  expect(problems).toEqual([expect.stringContaining("holds no decision that can be read: agent is missing")]);
  expect(readdirSync(folder)).toEqual(["00000001.json"]);
});

test("a folder that cannot be written is reported once, and nothing else fails", () => {
  const folder = join(privateFolder(), "file");
  writeFileSync(folder, "");
  const { history, warnings, propose, settle } = historyOf({ folder });
  for (const settlement of [accepted, accepted]) {
    settle(propose(), settlement);
    history.flush();
  }
  expect(warnings).toEqual([expect.stringContaining(`The history cannot be saved in ${folder}`)]);
  expect(readFileSync(folder, "utf8")).toBe("");
});

test("a clock that runs ahead takes no decision of the last hundred away", () => {
  const { folder } = historyOf();
  mkdirSync(folder, { recursive: true });
  const longAgo = Date.now() / 1000 - 40 * 24 * 3600;
  for (const name of ["00000001.json", "00000002.json"]) {
    writeFileSync(join(folder, name), "{}");
    utimesSync(join(folder, name), longAgo, longAgo);
  }
  expect(openHistoryFolder(folder).prune(historyLimits)).toBe(0);
});

test("a decision that the disk does not take is written once it does", () => {
  const folder = join(privateFolder(), "history");
  writeFileSync(folder, "");
  const { history, propose, settle } = historyOf({ folder });
  settle(propose(), accepted);
  history.flush();
  rmSync(folder);
  expect(history.list()).toMatchObject([{ outcome: "accepted" }]);
});

test("where what git ignores is kept from agents, the texts of all other files are held", async () => {
  const host = privateHost();
  const root = privateFolder();
  writeFileSync(join(root, ".gitignore"), "ignored.txt\n");
  const sharing = createSharing({ host, roots: () => [root], excludeGitIgnored: () => true });
  onTestFinished(sharing.close);
  const { companion, editor, client } = await startCore({ host, roots: [root], sharing });
  const cli = await client().initialize();
  for (const name of ["ignored.txt", "open.txt"]) {
    const filePath = join(root, name);
    await cli.call("openDiff", { filePath, newContent: "new\n" });
    editor.find(filePath).decide({ kind: "accepted" });
  }
  await companion.close();
  const folder = openHistoryFolder(historyFolder(host));
  const texts = folder.scan().records.map(({ id, filePath }) => [filePath, folder.read(id)?.texts] as const);
  expect(Object.fromEntries(texts)).toEqual({
    [join(root, "ignored.txt")]: undefined,
    [join(root, "open.txt")]: { before: null, proposed: "new\n" },
  });
});

test("what was decided is there after the end of the companion", async () => {
  const { companion, editor, root, host, client } = await startCore();
  const cli = await client().initialize();
  await cli.call("openDiff", { filePath: join(root, "a.txt"), newContent: "new\n" });
  const [diff] = editor.diffs.values();
  diff?.decide({ kind: "rejected" });
  await companion.close();
  const { records } = openHistoryFolder(historyFolder(host)).scan();
  expect(records).toMatchObject([{ agent: "Gemini CLI", filePath: join(root, "a.txt"), code: "rejected" }]);
});

test("a decision knows its turn, and what its user has done with it since", () => {
  const { history, propose, settle } = historyOf({ turn: "the turn" });
  settle(propose(), accepted);
  const [one] = history.list();
  expect(one).toMatchObject({ turn: "the turn" });
  history.note(one?.id ?? "", "undone");
  expect(history.list()[0]).toMatchObject({ turn: "the turn", later: "undone" });
});
