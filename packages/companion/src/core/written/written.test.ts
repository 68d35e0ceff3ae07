import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { realPathOf } from "../../files/workspace-path.ts";
import { toAcceptedHash } from "./accepted.ts";
import type { LogEntry } from "./entries.ts";
import { lookInto } from "./look-into.ts";
import { prune } from "./prune.ts";
import { sourceOf } from "./renames.ts";
import { Written } from "./written.ts";
import { WrittenLog } from "./written-log.ts";

type Text = string | Buffer | null;

/** A folder with files, agents that write them, and what was recorded of that. */
function project() {
  const folder = privateFolder();
  const log = new WrittenLog(path.join(folder, "log"));
  const at = (name: string) => path.join(folder, name);
  const put = (name: string, text: Text) => {
    if (text === null) rmSync(at(name));
    else writeFileSync(at(name), text);
  };
  // Of today, as what is decided: a day has its file.
  let time = Math.max(Date.now() - 1_000_000, new Date().setUTCHours(0, 0, 0, 0));
  const append = (entry: object) => log.append({ at: ++time, agent: "gemini", ...entry } as LogEntry);
  const look = async (name: string, isSecret = false) => ({
    [await realPathOf(at(name))]: await lookInto(at(name), log, async () => isSecret),
  });
  return {
    log,
    at,
    put,
    append,
    look,
    read: (name: string) => (existsSync(at(name)) ? readFileSync(at(name)) : null),
    begin: (session: string, title = "A prompt") => append({ session, kind: "turn-start", title, folder }),
    async writes(session: string, name: string, text: Text, isSecret = false) {
      append({ session, kind: "before", files: await look(name, isSecret) });
      put(name, text);
      append({ session, kind: "after", files: await look(name, isSecret) });
    },
    written: () => new Written(log),
    async revert(selection: Parameters<Written["planRevert"]>[0] = {}) {
      const written = new Written(log);
      const plan = written.planRevert(selection);
      if (plan.kind === "possible") await written.revert(plan.plans);
      return plan.kind === "possible" ? "reverted" : plan.reason;
    },
  };
}

const summary = (written: Written) =>
  written
    .list()
    .map(({ title, changes }) => [
      title,
      ...changes.map(
        ({ path: file, kind, added, removed }) => `${path.basename(file)} ${kind} +${added} -${removed}`,
      ),
    ]);

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

/** Each new file that is a deleted one with another name. */
const renames = (written: Written) =>
  written.list().flatMap(({ changes }) =>
    changes.flatMap((change) => {
      const source = sourceOf(written, change);
      return source ? [`${path.basename(source.path)} → ${path.basename(change.path)}`] : [];
    }),
  );

describe("a file that has another name", () => {
  test("is the deleted one that shares half of its bytes, in the same turn alone, and each is one other", async () => {
    const { put, begin, writes, written } = project();
    for (const name of ["a.txt", "b.txt", "c.txt", "d.txt"]) put(name, lines({ 1: name }));
    put("other.txt", "x\n".repeat(100));
    begin("one");
    for (const name of ["a.txt", "b.txt", "d.txt", "other.txt"]) await writes("one", name, null);
    await writes("one", "exact.txt", lines({ 1: "b.txt" }));
    await writes("one", "near.txt", lines({ 1: "a.txt", 2: "two" }));
    await writes(
      "one",
      "far.txt",
      lines(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at, "new"]))),
    );
    await writes("one", "further.txt", lines({ 1: "d.txt", 3: "three" }));
    begin("two");
    await writes("two", "c.txt", null);
    begin("three");
    await writes("three", "late.txt", lines({ 1: "c.txt" }));
    expect(renames(written()).sort()).toEqual([
      "a.txt → near.txt",
      "b.txt → exact.txt",
      "d.txt → further.txt",
    ]);
  });

  test("comes back with its text and the former name by one revert", async () => {
    const { put, begin, writes, revert, read, written } = project();
    put("old.txt", lines({ 1: "\uFEFF\r" }));
    begin("one");
    await writes("one", "new.txt", lines({ 1: "\uFEFF\r", 2: "two" }));
    await writes("one", "old.txt", null);
    expect(renames(written())).toEqual(["old.txt → new.txt"]);
    expect(await revert()).toBe("reverted");
    expect([read("old.txt")?.toString(), read("new.txt")]).toEqual([lines({ 1: "\uFEFF\r" }), null]);
  });

  test("is looked for among hundreds of large ones for a moment only", async () => {
    const { begin, log, put, append, written, at } = project();
    begin("one");
    const none = { text: null };
    const [before, after] = [{}, {}];
    for (let index = 0; index < 150; index += 1) {
      const [old, fresh] = [at(`old-${index}`), at(`new-${index}`)];
      const text = lines({ 1: `${index} `.repeat(4000) });
      put(`new-${index}`, `${text}end\n`);
      Object.assign(before, { [old]: { text: log.keep(Buffer.from(text)) }, [fresh]: none });
      Object.assign(after, { [old]: none, [fresh]: { text: log.keep(Buffer.from(`${text}end\n`)) } });
    }
    append({ session: "one", kind: "before", files: before });
    append({ session: "one", kind: "after", files: after });
    const { user } = process.cpuUsage();
    renames(written());
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });
});

describe("what a turn has written", () => {
  test("is listed by turn, newest first, as made, changed or deleted", async () => {
    const { put, begin, writes, written } = project();
    put("a.txt", "one\ntwo\n");
    put("old.txt", "gone\n");
    begin("s", "First");
    await writes("s", "a.txt", "one\nTWO\n");
    begin("s", "Second");
    await writes("s", "new.txt", "1\n2\n");
    await writes("s", "old.txt", null);
    expect(summary(written())).toEqual([
      ["Second", "new.txt added +2 -0", "old.txt deleted +0 -1"],
      ["First", "a.txt modified +1 -1"],
    ]);
  });

  test.each<[string, Buffer]>([
    ["a byte order mark and CRLF", Buffer.from("\uFEFFone\r\ntwo\r\n")],
    ["mixed line ends and no last one", Buffer.from("one\r\ntwo\nthree")],
    ["an old encoding", Buffer.from([0x61, 0xe9, 0x0a, 0xff, 0x0a])],
    ["UTF-16", Buffer.from("\uFEFFone\ntwo\n", "utf16le")],
    ["zeros", Buffer.from([0, 10, 0, 1])],
    ["nothing", Buffer.alloc(0)],
  ])("is reverted to the same bytes, with %s", async (_, bytes) => {
    const { put, read, begin, writes, revert } = project();
    put("a", bytes);
    begin("s");
    await writes("s", "a", "other\n");
    expect(await revert()).toBe("reverted");
    expect(read("a")).toEqual(bytes);
  });

  test("is taken out of the file as it is now: the user's lines stay, and are nobody's to look at", async () => {
    const { put, read, begin, writes, written, revert } = project();
    put("a.txt", lines());
    begin("s");
    await writes("s", "a.txt", lines({ 10: "agent" }));
    put("a.txt", lines({ 1: "mine", 10: "agent" }));
    expect(summary(written())).toEqual([["A prompt", "a.txt modified +1 -1"]]);
    expect(await revert()).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines({ 1: "mine" }));
    expect(summary(written())).toEqual([]);
  });

  test("is nobody's to look at where the user has accepted it, in whatever form it is written", async () => {
    const { put, at, look, append, begin, writes, written } = project();
    put("a.txt", "\uFEFFone\r\ntwo\r\n");
    begin("s");
    await writes("s", "a.txt", "\uFEFFone\r\n2\r\n");
    const writesAccepted = async (accepted: string, text: string) => {
      append({ session: "s", kind: "before", files: await look("a.txt") });
      append({ kind: "accepted", path: at("a.txt"), hash: toAcceptedHash(accepted) });
      put("a.txt", text);
      append({ session: "s", kind: "after", files: await look("a.txt") });
    };
    await writesAccepted("one\n2\nthree", "\uFEFFone\r\n2\r\nthree\r\n");
    expect(summary(written())).toEqual([["A prompt", "a.txt modified +1 -1"]]);
    await writesAccepted("one\n2\nthree\nmine", "\uFEFFone\r\n2\r\nthree\r\n\r\nanother\r\n");
    expect(summary(written())).toEqual([["A prompt", "a.txt modified +3 -1"]]);
  });

  test("holds what the user changes in its lines", async () => {
    const { put, read, begin, writes, written, revert } = project();
    put("a.txt", lines());
    begin("s");
    await writes("s", "a.txt", lines({ 10: "agent" }));
    put("a.txt", lines({ 10: "agent and me" }));
    expect(written().list()[0]?.changes[0]?.after).toContain("agent and me");
    await revert();
    expect(String(read("a.txt"))).toBe(lines());
  });

  test("does not hold what the user writes between two of its edits", async () => {
    const { put, read, begin, writes, revert } = project();
    put("a.txt", lines());
    begin("s");
    await writes("s", "a.txt", lines({ 5: "agent" }));
    put("a.txt", lines({ 5: "agent", 20: "mine" }));
    await writes("s", "a.txt", lines({ 5: "agent", 12: "agent too", 20: "mine" }));
    await revert();
    expect(String(read("a.txt"))).toBe(lines({ 20: "mine" }));
  });

  test("does not hold what the user saves while an edit waits for an answer", async () => {
    const { at, put, append, look, read, begin, revert } = project();
    put("a.txt", "one\ntwo\n");
    begin("s");
    append({ session: "s", kind: "before", files: await look("a.txt") });
    put("a.txt", "mine\none\ntwo\n");
    append({ kind: "saved", path: at("a.txt"), content: (await look("a.txt"))[at("a.txt")] });
    put("a.txt", "mine\none\nTWO\n");
    append({ session: "s", kind: "after", files: await look("a.txt") });
    expect(await revert()).toBe("reverted");
    expect(`${read("a.txt")}`).toBe("mine\none\ntwo\n");
  });

  test("keeps its first base over turns, and each turn is reverted alone", async () => {
    const { put, read, begin, writes, written, revert } = project();
    put("a.txt", lines());
    begin("s", "First");
    await writes("s", "a.txt", lines({ 3: "first" }));
    begin("s", "Second");
    await writes("s", "a.txt", lines({ 3: "first", 15: "second" }));
    const first = written().list()[1]?.id ?? "";
    expect(await revert({ turn: first })).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines({ 15: "second" }));
    expect(await revert()).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines());
  });

  test("is not reverted where a later turn of another agent has changed the same lines: nothing is written", async () => {
    const { put, read, begin, writes, written, revert } = project();
    put("a.txt", lines());
    put("b.txt", "b\n");
    begin("one", "First");
    await writes("one", "b.txt", "B\n");
    await writes("one", "a.txt", lines({ 3: "first" }));
    begin("two", "Second");
    await writes("two", "a.txt", lines({ 3: "second" }));
    const [second, first] = written().list();
    expect(await revert({ turn: first?.id ?? "" })).toBe("changed-since");
    expect(String(read("b.txt"))).toBe("B\n");
    expect(await revert({ turn: second?.id ?? "" })).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines({ 3: "first" }));
    expect(await revert()).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines());
  });

  test("a file that it made is gone after a revert, unless the user has changed it since", async () => {
    const { put, read, begin, writes, revert } = project();
    begin("s");
    await writes("s", "new.txt", "new\n");
    await writes("s", "other.txt", "other\n");
    put("other.txt", "other\nmine\n");
    expect(await revert()).toBe("written-since");
    expect(String(read("new.txt"))).toBe("new\n");
  });

  test("a file that it deleted comes back with its mode, and not over one that the user has made since", async () => {
    const { put, read, at, begin, writes, revert } = project();
    put("run.sh", "#!/bin/sh\n");
    chmodSync(at("run.sh"), 0o755);
    begin("s");
    await writes("s", "run.sh", null);
    put("run.sh", "mine\n");
    expect(await revert()).toBe("written-since");
    expect(String(read("run.sh"))).toBe("mine\n");
    put("run.sh", null);
    expect(await revert()).toBe("reverted");
    expect(String(read("run.sh"))).toBe("#!/bin/sh\n");
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
  });

  test("a link keeps pointing to the file that is reverted", async () => {
    const { put, read, at, begin, writes, revert } = project();
    put("real.txt", "one\n");
    symlinkSync(at("real.txt"), at("link.txt"));
    begin("s");
    await writes("s", "link.txt", "two\n");
    expect(await revert()).toBe("reverted");
    expect(String(read("real.txt"))).toBe("one\n");
    expect(existsSync(at("link.txt"))).toBe(true);
  });
});

test("a file that its user has put back as it was before two turns is nothing to look at", async () => {
  const { put, begin, writes, written } = project();
  put("a.txt", "one\n");
  for (const text of ["first\n", "second\n"]) {
    begin("s", text);
    await writes("s", "a.txt", text);
  }
  put("a.txt", "one\n");
  expect(written().list()).toEqual([]);
});

describe("one hunk", () => {
  const twoHunks = async () => {
    const opened = project();
    opened.put("a.txt", lines());
    opened.begin("s");
    await opened.writes("s", "a.txt", lines({ 3: "three", 15: "fifteen" }));
    return opened;
  };

  test("is reverted, and the other waits", async () => {
    const { read, written, revert } = await twoHunks();
    expect(await revert({ hunks: [0] })).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines({ 15: "fifteen" }));
    expect(summary(written())).toEqual([["A prompt", "a.txt modified +1 -1"]]);
  });

  test("is kept, and a revert of the rest leaves it", async () => {
    const { read, written, revert } = await twoHunks();
    written().keep({ hunks: [1] });
    expect(await revert()).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines({ 15: "fifteen" }));
  });
});

describe("a decision", () => {
  test("to keep moves the base: a later turn begins there", async () => {
    const { put, read, begin, writes, written, revert } = project();
    put("a.txt", lines());
    begin("s");
    await writes("s", "a.txt", lines({ 3: "kept" }));
    written().keep({});
    expect(summary(written())).toEqual([]);
    begin("s", "Second");
    await writes("s", "a.txt", lines({ 3: "kept", 4: "more" }));
    expect(await revert()).toBe("reverted");
    expect(String(read("a.txt"))).toBe(lines({ 3: "kept" }));
  });

  test("is undone: the file and what waits are as before, unless the file has changed", async () => {
    const { put, read, begin, writes, written, revert } = project();
    begin("s");
    await writes("s", "new.txt", "new\n");
    const before = summary(written());
    await revert();
    expect(read("new.txt")).toBeNull();
    await written().undo([...written().decisions()][0]?.id ?? "");
    expect(String(read("new.txt"))).toBe("new\n");
    expect(summary(written())).toEqual(before);
    expect([...written().decisions()][0]).toBeUndefined();
    await revert();
    put("new.txt", "mine\n");
    expect(await written().undo([...written().decisions()][0]?.id ?? "")).toMatch(/new\.txt$/);
    expect(String(read("new.txt"))).toBe("mine\n");
  });

  test("is refused when the file changes between the look and the writing", async () => {
    const { put, read, begin, writes, written } = project();
    put("a.txt", lines());
    begin("s");
    await writes("s", "a.txt", lines({ 3: "agent" }));
    const seen = written();
    const plan = seen.planRevert({});
    put("a.txt", lines({ 3: "agent", 20: "mine" }));
    await expect(seen.revert(plan.kind === "possible" ? plan.plans : [])).rejects.toThrow(/has changed/);
    expect(String(read("a.txt"))).toBe(lines({ 3: "agent", 20: "mine" }));
  });
});

describe("the record", () => {
  test("says of a secret that it has changed, and holds nothing of it", async () => {
    const { log, put, begin, writes, written, revert } = project();
    put(".env", "KEY=1\n");
    begin("s");
    await writes("s", ".env", "KEY=2 \n", true);
    expect(written().list()[0]?.changes[0]?.withheld).toBe("secret");
    expect(await revert()).toBe("not-kept");
    expect(existsSync(path.join(log.folder, "texts"))).toBe(false);
  });

  test("passes over a line that a crash has cut off, and the next entry counts", async () => {
    const { log, put, begin, writes, written } = project();
    put("a.txt", "one\n");
    begin("s");
    const day = path.join(log.folder, `${new Date().toISOString().slice(0, 10)}.jsonl`);
    appendFileSync(day, '\n{"at":1,"agent":"gemini","sess');
    await writes("s", "a.txt", "two\n");
    expect(summary(written())).toEqual([["A prompt", "a.txt modified +1 -1"]]);
  });

  test("an agent that is killed after it has written leaves a change; what the user writes later is the user's", async () => {
    const { put, append, look, begin, written } = project();
    put("a.txt", "one\n");
    put("b.txt", "one\n");
    begin("s");
    append({ at: Date.now(), session: "s", kind: "before", files: await look("a.txt") });
    append({ at: Date.now() - 3_600_000, session: "s", kind: "before", files: await look("b.txt") });
    put("a.txt", "two\n");
    put("b.txt", "mine\n");
    expect(summary(written())).toEqual([["A prompt", "a.txt modified +1 -1"]]);
  });

  test("entries that name a turn are of that turn, also late, and others of the last one", async () => {
    const { put, append, look, written } = project();
    put("a.txt", "one\n");
    append({ session: "s", turn: "1", kind: "turn-start", title: "First", folder: "/" });
    append({ session: "s", turn: "2", kind: "turn-start", title: "Second", folder: "/" });
    append({ session: "s", turn: "1", kind: "before", files: await look("a.txt") });
    put("a.txt", "two\n");
    append({ session: "s", turn: "1", kind: "after", files: await look("a.txt") });
    expect(summary(written())).toEqual([["First", "a.txt modified +1 -1"]]);
  });

  test("loses days and texts that are over, and none of what waits", async () => {
    const { log, put, begin, append, look, writes, written, revert, read } = project();
    const old = Date.now() - 40 * 24 * 3_600_000;
    put("a.txt", "one\n");
    put("b.txt", "one\n");
    append({ at: old, session: "old", kind: "turn-start", title: "Old", folder: "/" });
    append({ at: old, session: "old", kind: "before", files: await look("a.txt") });
    put("a.txt", "two\n");
    append({ at: old, session: "old", kind: "after", files: await look("a.txt") });
    prune(log, Date.now() + 2 * 24 * 3_600_000);
    expect(summary(written())).toEqual([["Old", "a.txt modified +1 -1"]]);
    await revert();
    expect(String(read("a.txt"))).toBe("one\n");
    begin("s");
    await writes("s", "b.txt", "two\n");
    prune(log, Date.now() + 2 * 24 * 3_600_000);
    expect(summary(written())).toEqual([["A prompt", "b.txt modified +1 -1"]]);
    expect(existsSync(path.join(log.folder, `${new Date(old).toISOString().slice(0, 10)}.jsonl`))).toBe(
      false,
    );
  });
});

test("whatever agents and users write, reverting all turns leaves the user's lines and none of an agent's", async () => {
  const step = fc.record({
    who: fc.constantFrom("one", "two", "user"),
    line: fc.nat({ max: 19 }),
    isNew: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const { put, read, begin, writes, revert } = project();
      let text = lines();
      put("a.txt", text);
      begin("one");
      begin("two");
      const owners = new Map<number, string>();
      for (const [index, { who, line, isNew }] of steps.entries()) {
        // Each has separate lines: in the others a change may be a part of another one's.
        const own = line - (line % 3) + ["one", "two", "user"].indexOf(who);
        if (own > 19) continue;
        const all = text.split("\n");
        const place = all.findIndex(
          (each) => each.startsWith(`line ${own + 1}`) || each.startsWith(`L${own + 1} `),
        );
        if (place < 0) continue;
        all[place] = `L${own + 1} ${who} ${index}`;
        text = all.join("\n");
        owners.set(own, `L${own + 1} ${who} ${index}`);
        if (who === "user") put("a.txt", text);
        else await writes(who, "a.txt", text);
        if (isNew && who !== "user") begin(who);
      }
      const outcome = await revert();
      const now = String(read("a.txt"));
      for (const [, last] of owners) {
        if (last.includes("user")) expect(now).toContain(last);
        else if (outcome === "reverted") expect(now).not.toContain(last);
      }
      if (outcome !== "reverted") expect(now).toBe(text);
    }),
    { numRuns: 60 },
  );
});
