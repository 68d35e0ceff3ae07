import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { readUncommitted } from "../../core/written/committed.ts";
import type { LogEntry } from "../../core/written/entries.ts";
import { lookInto } from "../../core/written/look-into.ts";
import { Written } from "../../core/written/written.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { WrittenWatch } from "../../core/written/written-watch.ts";
import { type Host, writtenFolder } from "../../system/host.ts";
import { placeOf, requestSnapshot } from "./place.ts";
import { takeSnapshots } from "./snapshots.ts";

/** A project of git's with two files, agents that run commands in it, and what was recorded of that. */
function project({ isGit = true } = {}) {
  const folder = privateFolder();
  const app = path.join(folder, "app");
  mkdirSync(app);
  const host: Host = { tmp: folder, home: folder, env: {}, delimiter: path.delimiter };
  const log = new WrittenLog(writtenFolder(host));
  const at = (name: string) => path.join(app, name);
  const put = (name: string, text: string | Buffer) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const git = (...args: readonly string[]) =>
    String(
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: app,
        stdio: "pipe",
      }),
    );
  /** Waits until the clock of files, which is a little behind, has left this millisecond. */
  const tick = () => {
    const now = Date.now() + 1;
    const probe = path.join(folder, "probe");
    do writeFileSync(probe, "");
    while (statSync(probe).ctimeMs <= now);
  };
  const append = (entry: object) => {
    tick();
    log.append({ at: Date.now(), agent: "gemini", ...entry } as LogEntry);
    tick();
  };
  const snapshot = async (where = app) => {
    requestSnapshot(await placeOf(where, log));
    await takeSnapshots(where, host);
  };
  const opened = {
    ...{ folder, app, host, log, at, put, git, append, snapshot },
    read: (name: string) => (existsSync(at(name)) ? String(readFileSync(at(name))) : null),
    async begin(session = "s", title = "A prompt") {
      append({ session, kind: "turn-start", title, folder: app });
      await snapshot();
    },
    starts: (command: string, session = "s") =>
      append({ session, kind: "command-start", command, folder: app }),
    async ends(command: string, session = "s") {
      append({ session, kind: "command-end", command, folder: app });
      await snapshot();
    },
    async runs(act: () => void, session = "s") {
      opened.starts("c", session);
      act();
      await opened.ends("c", session);
    },
    async edits(name: string, text: string, session = "s") {
      const look = async () => ({ [at(name)]: await lookInto(at(name), log, async () => false) });
      append({ session, kind: "before", files: await look() });
      put(name, text);
      append({ session, kind: "after", files: await look() });
    },
    /** The user, in an editor. */
    async saves(name: string, text: string) {
      put(name, text);
      tick();
      const watch = { folder: log.folder, onTurn: () => {}, isSecret: async () => false };
      await new WrittenWatch(watch).noteSaved(at(name));
      tick();
    },
    written: () => new Written(log),
    async revert(...names: readonly string[]) {
      const written = new Written(log);
      const plan = written.planRevert(names.length > 0 ? { paths: names.map(at) } : {});
      if (plan.kind === "possible") await written.revert(plan.plans);
      return plan.kind === "possible" ? "reverted" : plan.reason;
    },
    summary: () =>
      new Written(log)
        .list()
        .map(({ title, changes }) => [
          title,
          ...changes
            .map(({ path: file, kind, withheld }) => `${path.relative(app, file)} ${withheld ?? kind}`)
            .sort(),
        ]),
  };
  put("a.txt", "one\ntwo\n");
  put("old/b.txt", "b\n");
  if (isGit) {
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
  }
  return opened;
}

/** Every file below a folder: its bytes, and when it was written. */
const bytesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
      const file = path.join(folder, name);
      const stats = lstatSync(file);
      return [name, stats.isFile() ? `${stats.mtimeMs} ${readFileSync(file, "latin1")}` : "folder"];
    }),
  );

describe("what a shell command has written", () => {
  test("is recorded: files that are new, changed, deleted, renamed, and moved with their folder", async () => {
    const { at, put, begin, runs, summary, revert, read, git, app } = project();
    put("late.txt", "not in git\n");
    const before = bytesIn(app);
    await begin();
    await runs(() => {
      for (let number = 0; number < 10; number += 1) put(`new/${number}.txt`, `${number}\n`);
      put("a.txt", "one\nTWO\n");
      renameSync(at("late.txt"), at("moved.txt"));
      renameSync(at("old"), at("other"));
    });
    expect(summary()).toEqual([
      [
        "A prompt",
        "a.txt modified",
        "late.txt deleted",
        "moved.txt added",
        ...Array.from({ length: 10 }, (_, number) => `new/${number}.txt added`),
        "old/b.txt deleted",
        "other/b.txt added",
      ],
    ]);
    expect(await revert()).toBe("reverted");
    expect([read("a.txt"), read("late.txt"), read("old/b.txt"), read("other/b.txt")]).toEqual([
      "one\ntwo\n",
      "not in git\n",
      "b\n",
      null,
    ]);
    const own = Object.entries(before).filter(([name]) => name.startsWith(".git"));
    expect(Object.entries(bytesIn(app)).filter(([name]) => name.startsWith(".git"))).toEqual(own);
    expect(git("status", "--porcelain")).toBe("?? late.txt\n");
  });

  test("is not what the user writes before and after it, checks out, or had not committed", async () => {
    const { put, begin, runs, summary, git, snapshot, at } = project();
    put("a.txt", "mine\n");
    await begin();
    put("mine.txt", "mine\n");
    git("checkout", "-q", "--", "a.txt");
    await runs(() => put("new.txt", "new\n"));
    put("late.txt", "mine\n");
    rmSync(at("old/b.txt"));
    await snapshot();
    await begin("s", "Second");
    await runs(() => {});
    expect(summary()).toEqual([["A prompt", "new.txt added"]]);
  });

  test("is not what the user saves in an editor while it runs", async () => {
    const { put, begin, starts, ends, saves, summary, revert, read } = project();
    await begin();
    starts("npm run dev");
    await saves("a.txt", "mine\none\ntwo\n");
    await saves("old/b.txt", "b\nmine\n");
    put("a.txt", "mine\none\ntwo\nthree\n");
    await ends("npm run dev");
    expect(summary()).toEqual([["A prompt", "a.txt modified"]]);
    expect(await revert()).toBe("reverted");
    expect([read("a.txt"), read("old/b.txt")]).toEqual(["mine\none\ntwo\n", "b\nmine\n"]);
  });

  test("is not what the user saved while it ran, though the editor says so late", async () => {
    const { put, begin, starts, ends, append, at, log, summary } = project();
    await begin();
    starts("npm run dev");
    put("a.txt", "mine\none\ntwo\n");
    put("new.txt", "new\n");
    await ends("npm run dev");
    expect(summary()).toEqual([["A prompt", "a.txt modified", "new.txt added"]]);
    const content = await lookInto(at("a.txt"), log, async () => false);
    append({ kind: "saved", path: at("a.txt"), content });
    expect(summary()).toEqual([["A prompt", "new.txt added"]]);
  });

  test("outside of git is not what the user has saved before it", async () => {
    const { put, begin, edits, saves, runs, revert, read } = project({ isGit: false });
    await begin();
    await edits("a.txt", "one\nTWO\n");
    await saves("a.txt", "mine\none\nTWO\n");
    await runs(() => put("a.txt", "mine\none\nTWO\nthree\n"));
    expect(await revert()).toBe("reverted");
    expect(read("a.txt")).toBe("mine\none\ntwo\n");
  });

  test("is not what the user deletes and saves after it, though the snapshot comes late", async () => {
    const { put, begin, starts, append, app, at, snapshot, summary } = project();
    await begin();
    starts("c");
    put("new.txt", "new\n");
    append({ session: "s", kind: "command-end", command: "c", folder: app });
    rmSync(at("a.txt"));
    put("mine.txt", "mine\n");
    await snapshot();
    expect(summary()).toEqual([["A prompt", "new.txt added"]]);
  });

  test("is the file as it was when the turn began: what the user had not committed stays after a revert", async () => {
    const { put, begin, runs, revert, read } = project();
    put("a.txt", "mine\ntwo\n");
    await begin();
    await runs(() => put("a.txt", "mine\nTWO\n"));
    expect(await revert()).toBe("reverted");
    expect(read("a.txt")).toBe("mine\ntwo\n");
  });

  test("is recorded once, though edit tools have written the same file before, after and in between", async () => {
    const { put, begin, runs, edits, summary, revert, read, starts, ends } = project();
    await begin();
    await edits("a.txt", "ONE\ntwo\n");
    await runs(() => put("a.txt", "ONE\nTWO\n"));
    await edits("a.txt", "ONE\nTWO\nthree\n");
    starts("long");
    await edits("a.txt", "ONE\nTWO\nthree\nfour\n", "other");
    await ends("long");
    expect(summary()).toEqual([
      ["", "a.txt modified"],
      ["A prompt", "a.txt modified"],
    ]);
    expect(await revert()).toBe("reverted");
    expect(read("a.txt")).toBe("one\ntwo\n");
  });

  test("is each agent's own, though two run commands at once", async () => {
    const { put, begin, starts, ends, summary } = project();
    await begin("one", "First");
    await begin("two", "Second");
    starts("c", "one");
    put("one.txt", "1\n");
    starts("c", "two");
    put("a.txt", "both\n");
    await ends("c", "one");
    put("two.txt", "2\n");
    await ends("c", "two");
    expect(summary()).toEqual([
      ["Second", "two.txt added"],
      ["First", "a.txt modified", "one.txt added"],
    ]);
  });

  test("counts for several commands in a row of which none waits for a snapshot", async () => {
    const { put, begin, starts, ends, append, app, summary, revert, read } = project();
    await begin();
    for (const [command, text] of [
      ["1", "1\n"],
      ["2", "2\n"],
    ] as const) {
      starts(command);
      put("a.txt", text);
      put(`${command}.txt`, text);
      if (command === "1") append({ session: "s", kind: "command-end", command, folder: app });
    }
    await ends("2");
    expect(summary()).toEqual([["A prompt", "1.txt added", "2.txt added", "a.txt modified"]]);
    await revert();
    expect(read("a.txt")).toBe("one\ntwo\n");
  });

  test("waits to be looked at, though the agent commits it; the user who commits it keeps it", async () => {
    const { put, begin, runs, git, log } = project();
    await begin();
    await runs(() => {
      put("a.txt", "two\n");
      git("commit", "-qam", "second");
    });
    expect((await readUncommitted(log)).list()).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 1001 - (Date.now() % 1000)));
    put("a.txt", "one\n");
    git("commit", "-qam", "third");
    put("a.txt", "two\n");
    git("commit", "-qam", "fourth");
    expect((await readUncommitted(log)).list()).toHaveLength(0);
  });
});

describe("a snapshot", () => {
  test("starts nothing that a repository names, and reads bytes as they are, whatever git makes of line ends", async () => {
    const { put, git, begin, runs, revert, read, at, folder, summary } = project();
    const ran = path.join(folder, "ran");
    put("windows.txt", "1\r\n2\r\n");
    put("unix.txt", "1\n2\n");
    put("filtered.bin", "1\n");
    put(".gitattributes", "*.txt text=auto\n*.bin filter=own\n");
    git("-c", "core.autocrlf=input", "-c", "core.safecrlf=false", "add", "-A");
    git("commit", "-qm", "second");
    const program = path.join(folder, "program");
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >>'${ran}'\ncat\n`);
    chmodSync(program, 0o755);
    for (const key of ["filter.own.clean", "filter.own.smudge", "core.fsmonitor", "diff.external"])
      git("config", key, program);
    writeFileSync(at(".git/hooks/post-index-change"), readFileSync(program), { mode: 0o755 });
    rmSync(ran, { force: true });
    await begin();
    await runs(() => {
      for (const name of ["windows.txt", "unix.txt", "filtered.bin"]) appendFileSync(at(name), "3\r\n");
    });
    expect(existsSync(ran)).toBe(false);
    expect(summary()).toEqual([
      ["A prompt", "filtered.bin modified", "unix.txt modified", "windows.txt modified"],
    ]);
    expect(await revert()).toBe("reverted");
    expect([read("windows.txt"), read("unix.txt"), read("filtered.bin")]).toEqual([
      "1\r\n2\r\n",
      "1\n2\n",
      "1\n",
    ]);
  });

  test("holds nothing of secrets, large and ignored files, links, pipes and nested repositories", async () => {
    const { put, git, begin, runs, at, log, summary, folder } = project();
    put(".gitignore", "ignored/\n");
    put("nested/c.txt", "c\n");
    put("empty/c.txt", "c\n");
    for (const name of ["nested", "empty"]) git("init", "-q", name);
    git("-C", "nested", "add", "-A");
    git("-C", "nested", "commit", "-qm", "nested");
    put(".env", "s3cret=1\n");
    writeFileSync(path.join(folder, "outside"), "s3cret\n");
    execFileSync("mkfifo", [at("pipe")]);
    await begin();
    await runs(() => {
      put(".env", "s3cret=2\n");
      put("ignored/x.txt", "s3cret\n");
      put("nested/c.txt", "s3cret\n");
      put("empty/c.txt", "s3cret\n");
      put("large.bin", Buffer.alloc(4 * 1024 * 1024 + 1, "s3cret"));
      symlinkSync(path.join(folder, "outside"), at("link"));
      put("new.txt", "new\n");
    });
    expect(summary()).toEqual([
      ["A prompt", ".env secret", "large.bin large", "link no-file", "new.txt added"],
    ]);
    for (const name of readdirSync(log.folder, { recursive: true, encoding: "utf8" })) {
      const file = path.join(log.folder, name);
      if (!statSync(file).isFile()) continue;
      expect(statSync(file).size, name).toBeLessThan(100_000);
      expect(readFileSync(file, "latin1"), name).not.toContain("s3cret");
    }
    const objects = path.join(log.folder, "trees");
    const blobs = readdirSync(objects, { recursive: true, encoding: "utf8" }).filter((name) =>
      /objects\/..\/.{38}$/.test(name),
    );
    expect(blobs).toHaveLength(2); // .gitignore and new.txt
  });

  test("leaves out submodules, what a link leads to, and pipes in the place of files, and has the rest", async () => {
    const { put, git, begin, runs, at, app, folder, summary, revert, read } = project();
    const [library, outside] = [path.join(folder, "library"), path.join(folder, "outside")];
    git("clone", "-q", app, library);
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");
    put("piped.txt", "text\n");
    git("add", "-A");
    git("commit", "-qm", "second");
    mkdirSync(outside);
    writeFileSync(path.join(outside, "theirs.txt"), "theirs\n");
    symlinkSync(outside, at("link"));
    await begin();
    await runs(() => {
      put("sub/a.txt", "changed in it\n");
      git("-C", "sub", "commit", "-qam", "third");
      put("link/theirs.txt", "changed\n");
      put("link/c.txt", "new\n");
      rmSync(at("old"), { recursive: true });
      symlinkSync(outside, at("old"));
      rmSync(at("piped.txt"));
      execFileSync("mkfifo", [at("piped.txt")]);
      put("a.txt", "ONE\n");
      put("new.txt", "new\n");
    });
    expect(summary()).toEqual([
      [
        "A prompt",
        "a.txt modified",
        "new.txt added",
        "old no-file",
        "old/b.txt deleted",
        "piped.txt no-file",
      ],
    ]);
    expect(await revert("a.txt", "new.txt")).toBe("reverted");
    expect([read("new.txt"), read("a.txt"), read("sub/a.txt")]).toEqual([
      null,
      "one\ntwo\n",
      "changed in it\n",
    ]);
    await expect(revert("old/b.txt")).rejects.toThrow("old has become a link");
    expect(readdirSync(outside)).toEqual(["c.txt", "theirs.txt"]);
  });

  test("that fails leaves a mark, and no older one counts in its place", async () => {
    const { put, begin, runs, summary, at, git } = project();
    await begin();
    const index = readFileSync(at(".git/index"));
    await begin("s", "Second");
    const { PATH } = process.env;
    process.env.PATH = "/nowhere";
    await expect(runs(() => put("a.txt", "unseen\n"))).rejects.toThrow();
    process.env.PATH = PATH;
    expect(summary()).toEqual([["Second", " unseen"]]);
    await runs(() => put("a.txt", "not known\n"));
    expect(summary()).toEqual([["Second", " unseen", "a.txt unknown"]]);
    await runs(() => put("new.txt", "new\n"));
    expect(summary()).toEqual([["Second", " unseen", "a.txt unknown", "new.txt added"]]);
    expect(readFileSync(at(".git/index"))).toEqual(index);
    expect(git("status", "--porcelain")).toContain("a.txt");
  });

  test("is not what the user wrote before it, though the process that took the snapshot was killed", async () => {
    const { app, put, begin, runs, starts, ends, summary, log } = project();
    await begin();
    await runs(() => put("a.txt", "one\ntwo\nthree\n"));
    put("a.txt", "one\ntwo\nthree\nmine\n");
    await begin();
    const { own } = await placeOf(app, log);
    starts("c");
    put("a.txt", "one\ntwo\nTHREE\nmine\n");
    writeFileSync(path.join(own, "state.json"), '{"bytes":0,"snapshots":[]}');
    await ends("c");
    expect(summary()).toEqual([
      ["A prompt", "a.txt unknown"],
      ["A prompt", "a.txt modified"],
    ]);
    // In one turn they are one change.
    writeFileSync(path.join(own, "state.json"), '{"bytes":0,"snapshots":[]}');
    put("a.txt", "one\ntwo\nTHREE\nmine\nand mine\n");
    await runs(() => put("a.txt", "one\ntwo\n3\nmine\nand mine\n"));
    expect(summary()[0]).toEqual(["A prompt", "a.txt unknown"]);
  });

  test("is not needed to know that a command was cut off: that is said, and nothing is anybody's", async () => {
    const { put, begin, starts, summary } = project();
    await begin();
    starts("cut");
    put("a.txt", "whose?\n");
    await begin("s", "Second");
    expect(summary()).toEqual([["A prompt", " unseen"]]);
  });

  test("outside of git is of the files that the session has touched", async () => {
    const { put, begin, edits, runs, summary, revert, read } = project({ isGit: false });
    await begin();
    await edits("a.txt", "edited\n");
    await runs(() => {
      put("a.txt", "by a command\n");
      put("new.txt", "new\n");
    });
    expect(summary()).toEqual([["A prompt", "a.txt modified"]]);
    expect(await revert()).toBe("reverted");
    expect(read("a.txt")).toBe("one\ntwo\n");
  });

  test("is of the whole work tree, also in a folder of it, in a worktree, without a commit, and without a file", async () => {
    const { put, git, begin, runs, snapshot, folder, summary, append, log } = project();
    const other = path.join(folder, "other");
    git("worktree", "add", "-q", other);
    await begin();
    await runs(() => put("new.txt", "new\n"));
    expect(summary()).toEqual([["A prompt", "new.txt added"]]);
    const [fresh, empty] = [path.join(folder, "fresh"), path.join(folder, "empty")];
    for (const repository of [fresh, empty]) execFileSync("git", ["init", "-q", repository]);
    writeFileSync(path.join(fresh, "a.txt"), "one\n");
    for (const [top, inside, expected] of [
      [other, path.join(other, "old"), "modified"],
      [fresh, fresh, "modified"],
      [empty, empty, "added"],
    ] as const) {
      append({ session: top, kind: "turn-start", title: top, folder: inside });
      await snapshot(inside);
      append({ session: top, kind: "command-start", command: "c", folder: inside });
      writeFileSync(path.join(top, "a.txt"), "changed\n");
      append({ session: top, kind: "command-end", command: "c", folder: inside });
      await snapshot(inside);
      const [turn] = new Written(log).list();
      expect(turn?.changes.map(({ path: file, kind }) => [file, kind])).toEqual([
        [path.join(top, "a.txt"), expected],
      ]);
    }
  });
});
