import { join } from "node:path";
import { messageOf } from "../../packages/companion/src/system/error-message.ts";
import type { CliSession, Reply } from "../harness/cli.ts";
import type { Driver, ShownDiff } from "../harness/driver.ts";
import { untilNothing } from "../harness/until.ts";
import type { Action } from "./action.ts";
import type { Fixture } from "./fixture.ts";
import { unwritten } from "./judge-owed.ts";
import type { Connected, Done, Texts } from "./record.ts";

/** How long typed text may be in memory only, with a margin for busy machines; in milliseconds. */
const longestUnwritten = 150 + 10_000;

/** Prepares an action; its subject is chosen before the rest of its burst happens. */
export function begin(fixture: Fixture, action: Action): () => Promise<Done> {
  const record: Done = { action };
  const run = prepare(fixture, record, action);
  return async () => {
    try {
      await run?.();
    } catch (error) {
      record.error = messageOf(error);
    }
    return record;
  };
}

/** What there is to do; nothing where its subject is gone. */
type Run = (() => Promise<void>) | undefined;

function prepare(fixture: Fixture, record: Done, action: Action): Run {
  switch (action.do) {
    case "open":
      return call(fixture, record, action, (session, path) => session.open(path, action.text));
    case "close":
      return call(fixture, record, action, (session, path) => session.close(path, action.suppress));
    case "acceptDiff":
    case "rejectDiff":
      return call(fixture, record, action, (session, path) =>
        session.decide?.(action.do as "acceptDiff", path),
      );
    case "edit":
    case "accept":
    case "reject":
      return byUser(fixture, record, action);
    case "save":
      return async () => save(fixture, action);
    case "focus":
      return async () => focus(fixture, action);
    case "roots":
      return () => setRoots(fixture, action.editor, action.folders);
    case "connect":
      return () => reconnect(fixture, record, action.cli, action.editor);
    case "restart":
    case "kill companion":
    case "kill editor":
      return end(fixture, record, action.editor, action.do);
    default:
      return handle(fixture, record, action);
  }
}

function call(
  fixture: Fixture,
  record: Done,
  { cli, file }: { cli: number; file: number },
  run: (session: CliSession, path: string) => Promise<Reply> | undefined,
): Run {
  const connected = fixture.connected[cli];
  const path = fixture.files[file] ?? "";
  if (!connected) return undefined;
  record.connected = connected;
  record.path = path;
  return async () => {
    const reply = await run(connected.session, path);
    if (reply) record.reply = reply;
  };
}

function byUser(fixture: Fixture, record: Done, action: Extract<Action, { pick: number }>): Run {
  const { editor, pick, do: what } = action;
  const driver = fixture.driver(editor);
  const shown = fixture.tracked.filter((diff) => diff.editor === editor && diff.isOfThisSequence);
  const diff = shown[pick % shown.length];
  if (!diff) return undefined;
  record.diff = diff;
  return async () => {
    const present = driver.diffs.get(diff.id);
    if (!present) return; // it ended in this burst
    if (action.do === "edit") return driver.edit(diff.id, action.text);
    const { text, proposed, base } = present;
    Object.assign(record, { text, proposed, base, onDisk: fixture.read(diff.path)?.toString() ?? "" });
    record.result = await driver.decide(diff.id, what === "accept" ? "accepted" : "rejected");
  };
}

function save(fixture: Fixture, { file, text, adds }: Extract<Action, { do: "save" }>): void {
  const path = fixture.files[file] ?? "";
  const former = adds ? (fixture.read(path)?.toString() ?? "") : "";
  fixture.clock += 1;
  fixture.write(path, `${former}${text}saved ${fixture.clock}\n`);
}

function handle(
  fixture: Fixture,
  record: Done,
  { do: what, cli }: Extract<Action, { do: "drop" | "stall" | "resume" | "leave" | "kill cli" }>,
): Run {
  const connected = fixture.connected[cli];
  if (!connected) return undefined;
  record.connected = connected;
  const { session } = connected;
  if (what === "drop" || what === "stall") {
    return async () => {
      connected.droppedAt ??= performance.now();
      await session[what]?.();
    };
  }
  if (what === "resume") return () => fixture.resume(connected);
  connected.isOver = true;
  fixture.connected[cli] = undefined;
  if (what === "leave") return () => session.leave();
  return () => abandon(fixture, connected);
}

async function abandon(fixture: Fixture, connected: Connected): Promise<void> {
  connected.isOver = true;
  connected.abandonedAt = performance.now();
  fixture.orphans.push(connected);
  await connected.session.kill();
}

/** As `/ide enable` does: it abandons the old session. */
async function reconnect(fixture: Fixture, record: Done, cli: number, editor: number): Promise<void> {
  const last = fixture.connected[cli];
  fixture.connected[cli] = undefined;
  if (last) {
    record.connected = last;
    await (cli === 2 ? leave(last) : abandon(fixture, last));
  }
  await fixture.connect(cli, editor);
}

async function leave(connected: Connected): Promise<void> {
  connected.isOver = true;
  await connected.session.leave();
}

function end(
  fixture: Fixture,
  record: Done,
  editor: number,
  what: "restart" | "kill companion" | "kill editor",
): Run {
  const driver = fixture.driver(editor);
  for (const [cli, connected] of fixture.connected.entries()) {
    if (connected?.editor !== editor) continue;
    connected.isOver = true;
    connected.end = what;
    fixture.connected[cli] = undefined;
  }
  for (const orphan of fixture.orphans.filter((one) => one.editor === editor)) orphan.end = what;
  fixture.bereave(editor, { isKilled: what !== "restart" });
  fixture.orphans = fixture.orphans.filter((orphan) => orphan.editor !== editor);
  fixture.focused[editor] = undefined;
  const run = {
    restart: () => driver.restart(),
    "kill companion": () => driver.killCompanion?.() ?? driver.restart(),
    "kill editor": () => driver.killEditor?.() ?? driver.restart(),
  }[what];
  return async () => {
    // Recently typed text may be in memory only. What is not written in time is missed when all is judged.
    let written = textsOf(driver.diffs);
    const look = () => {
      const diffs = withClosed(driver);
      written = textsOf(diffs);
      return unwritten(fixture, diffs);
    };
    if (what !== "restart") await untilNothing(look, longestUnwritten);
    const shown = new Map([...withClosed(driver)].map(([id, diff]) => [id, { ...diff }]));
    await run();
    // The companion may have merged a saved file into a text in between, and ended before it has written that.
    const fresh = new Set(what === "restart" ? [] : unwritten(fixture, shown));
    const screen = [...textsOf(shown)].map(
      ([id, texts]) => [id, fresh.has(id) ? (written.get(id) ?? texts) : texts] as const,
    );
    record.screen = new Map(screen);
  };
}

/** What is on the screen, and what agents have closed at this moment. */
function withClosed({ diffs, news }: Driver): ReadonlyMap<string, ShownDiff> {
  const closed = news.flatMap((each) => (each.kind === "closed" ? [each.diff] : []));
  return new Map([...diffs, ...closed.map((diff) => [diff.id, diff] as const)]);
}

const textsOf = (diffs: ReadonlyMap<string, ShownDiff>): ReadonlyMap<string, Texts> =>
  new Map([...diffs].map(([id, { text, proposed }]) => [id, { text, proposed }]));

function focus(fixture: Fixture, { editor, file, line, selected }: Extract<Action, { do: "focus" }>): void {
  const path = fixture.visibleFiles[file] ?? "";
  fixture.focused[editor] = { path, line, selected };
  const files = fixture.visibleFiles.map((each) => ({
    path: each,
    focusedAt: ++fixture.clock,
    cursor: { line, character: 1 },
    ...(selected !== "" && { selectedText: selected }),
  }));
  fixture.driver(editor).focus({ files, activePath: path });
}

async function setRoots(fixture: Fixture, editor: number, folders: number): Promise<void> {
  const { workspace } = fixture.sandbox;
  const roots =
    [[workspace], [join(workspace, "a"), join(workspace, "b")], [workspace, join(workspace, "a")]][folders] ??
    [];
  fixture.roots[editor] = roots;
  await fixture.driver(editor).setRoots(roots);
}
