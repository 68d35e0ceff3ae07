import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { waitForSnapshots } from "../../../../testkit/src/snapshots.ts";
import { toHookLine } from "../../agents/hooks.ts";
import {
  createSandbox,
  executablePath,
  installExecutable,
  type Sandbox,
  start,
  startProgram,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

/** One call of a hook of Gemini CLI. */
const call = (event: string, more: object = {}) => ({ session_id: "s", hook_event_name: event, ...more });
const edits = (file: string) => ({ tool_name: "replace", tool_input: { file_path: file } });

/** Calls our hook as a CLI does. @returns what it has said, and how it ended */
function hook(
  { app, env, home }: Sandbox,
  input: string | object,
  agent = "gemini",
  more: readonly string[] = [],
) {
  const text = typeof input === "string" ? input : JSON.stringify({ cwd: app, ...input });
  const { status, stdout, stderr } = spawnSync(process.execPath, [executablePath(), "hook", agent, ...more], {
    cwd: app,
    env,
    input: text,
    encoding: "utf8",
  });
  waitForSnapshots(home);
  return { status, text: stdout + stderr };
}

const silent = { status: 0, text: "" };
const logFolder = ({ home }: Sandbox) => path.join(home, ".local/state/ide-companion/written");

async function changes(sandbox: Sandbox, ...words: readonly string[]) {
  const run = start(sandbox, ["changes", ...words]);
  return { code: await run.end, text: run.text };
}

/** A turn in which an agent changes one file and makes another. */
function runTurn(sandbox: Sandbox, agent = "gemini"): void {
  const file = path.join(sandbox.app, "a.txt");
  writeFileSync(file, "one\r\ntwo");
  hook(sandbox, call("BeforeAgent", { prompt: "  Change two files\nand more" }), agent);
  for (const [name, text] of [
    ["a.txt", "one\r\nTWO"],
    ["new.txt", "new\n"],
  ] as const) {
    hook(sandbox, call("BeforeTool", edits(name)), agent);
    writeFileSync(path.join(sandbox.app, name), text);
    hook(sandbox, call("AfterTool", edits(name)), agent);
  }
  hook(sandbox, call("AfterAgent"), agent);
}

describe("a hook never stops an agent:", () => {
  test.each([
    ["bad JSON", "{"],
    ["nothing", ""],
    ["JSON that is no call", "[1]"],
    ["an event that it does not know", JSON.stringify({ session_id: "s", hook_event_name: "Other" })],
    ["more than it reads", `{"x":"${"x".repeat(17 * 1024 * 1024)}"}`],
  ])("it says nothing to %s", (_, input) => {
    expect(hook(createSandbox(), input)).toEqual(silent);
  });

  test("nor of an agent that it does not know", () => {
    expect(hook(createSandbox(), call("BeforeAgent", { prompt: "x" }), "nobody")).toEqual(silent);
  });

  test("nor where its folder cannot be made, or the disk takes nothing", () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.home, ".local"), "a file");
    expect(hook(sandbox, call("BeforeAgent", { prompt: "x" }))).toEqual(silent);
    const limited = `ulimit -f 0; exec '${process.execPath}' '${executablePath()}' hook gemini`;
    const full = createSandbox();
    writeFileSync(path.join(full.app, "a.txt"), "x".repeat(5000));
    const input = JSON.stringify({ cwd: full.app, ...call("BeforeTool", edits("a.txt")) });
    const { status, stdout } = spawnSync("sh", ["-c", limited], { env: full.env, input });
    expect({ status, stdout: String(stdout) }).toEqual({ status: 0, stdout: "" });
  });

  test("its line ends as if there were none where the program, or Node, is gone", () => {
    const { app, env } = createSandbox();
    const line = toHookLine("gemini", "sh");
    const run = (PATH: string) => spawnSync("/bin/sh", ["-c", line], { cwd: app, env: { ...env, PATH } });
    for (const { status, stdout, stderr } of [run(""), run("/nowhere")]) {
      expect([status, String(stdout), String(stderr)]).toEqual([0, "", ""]);
    }
    const broken = createSandbox();
    writeFileSync(path.join(broken.bin, "ide-companion"), "#!/usr/bin/env no-such-node\n", { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { env: broken.env });
    expect([status, String(stdout), String(stderr)]).toEqual([0, "", ""]);
  });

  test("its line calls the program that is there", async () => {
    const sandbox = createSandbox();
    installExecutable(sandbox);
    const input = JSON.stringify({ cwd: sandbox.app, ...call("BeforeAgent", { prompt: "x" }) });
    spawnSync("sh", ["-c", toHookLine("gemini", "sh")], { env: sandbox.env, input });
    waitForSnapshots(sandbox.home);
    expect(existsSync(logFolder(sandbox))).toBe(true);
  });
});

describe("the record", () => {
  test("is for its user alone", () => {
    const sandbox = createSandbox();
    runTurn(sandbox);
    for (const name of readdirSync(logFolder(sandbox), { recursive: true })) {
      const stats = statSync(path.join(logFolder(sandbox), String(name)));
      expect(stats.mode & 0o077, String(name)).toBe(0);
    }
  });

  test("holds the calls of many hooks at once, and of those that were not killed", async () => {
    const sandbox = createSandbox();
    const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
    for (const name of names) writeFileSync(path.join(sandbox.app, name), name);
    const runs = names.map((name) => {
      const run = startProgram(sandbox, process.execPath, [executablePath(), "hook", "gemini"], {
        stdin: "pipe",
      });
      run.child.stdin?.end(JSON.stringify({ cwd: sandbox.app, ...call("BeforeTool", edits(name)) }));
      return run;
    });
    // Some are killed wherever they are.
    for (const { child } of runs.slice(0, 4)) setTimeout(() => child.kill("SIGKILL"), Math.random() * 150);
    await Promise.all(runs.map(({ child }) => child.exitCode ?? once(child, "close")));
    for (const name of names) writeFileSync(path.join(sandbox.app, name), `${name} written`);
    for (const name of names) hook(sandbox, call("AfterTool", edits(name)));
    const { text } = await changes(sandbox, "list", "--json");
    const found = JSON.parse(text).turns.flatMap((turn: { changes: object[] }) => turn.changes);
    expect(found).toHaveLength(12);
    expect(
      found.filter(({ withheld }: { withheld?: string }) => withheld === undefined).length,
    ).toBeGreaterThanOrEqual(8);
  });

  test("holds nothing of a secret, by its name or that of its target, and nothing of a prompt but its first line", () => {
    const sandbox = createSandbox();
    for (const name of [".env", "server.pem", "notes.drafts"])
      writeFileSync(path.join(sandbox.app, name), "s3cret\n");
    mkdirSync(path.join(sandbox.home, ".config/ide-companion"), { recursive: true });
    writeFileSync(path.join(sandbox.home, ".config/ide-companion/config.json"), '{"exclude":["*.drafts"]}');
    hook(sandbox, call("BeforeAgent", { prompt: `${"t".repeat(200)}\ns3cret` }));
    for (const name of [".env", "server.pem", "notes.drafts"]) hook(sandbox, call("BeforeTool", edits(name)));
    const files = readdirSync(logFolder(sandbox)).filter((name) => name !== "trees");
    expect(files).toHaveLength(1);
    const text = readFileSync(path.join(logFolder(sandbox), files[0] ?? ""), "utf8");
    expect(text).not.toContain("s3cret");
    expect(text.match(/"withheld":"secret"/g)).toHaveLength(3);
    expect(text).toContain(`"${"t".repeat(120)}"`);
  });
});

test("no line of a prompt is kept where the user's settings say so, or cannot be read", async () => {
  for (const settings of ['{"turnTitles":false}', "{"]) {
    const sandbox = createSandbox();
    const folder = path.join(sandbox.home, ".config/ide-companion");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "config.json"), settings);
    runTurn(sandbox);
    const { turns } = JSON.parse((await changes(sandbox, "--json")).text);
    expect(turns).toMatchObject([{ agent: "gemini", title: "", changes: expect.any(Array) }]);
    const files = readdirSync(logFolder(sandbox)).filter((name) => name.endsWith(".jsonl"));
    for (const name of files)
      expect(readFileSync(path.join(logFolder(sandbox), name), "utf8")).not.toContain("Change two");
  }
});

describe("a shell command", () => {
  const running = { tool_name: "run_shell_command", tool_input: { command: "a script" } };
  /** A project of git's, and a turn in which a command runs. */
  const createProject = () => {
    const sandbox = createSandbox();
    const { app, env } = sandbox;
    const run = (script: string) => String(execFileSync("sh", ["-ec", script], { cwd: app, env }));
    run(
      "git init -q; echo one >a.txt; echo b >b.txt; git add -A; git -c user.name=a -c user.email=a@b commit -qm a",
    );
    const begin = () => hook(sandbox, call("BeforeAgent", { prompt: "Run it" }));
    const runCommand = (script: string) => {
      hook(sandbox, call("BeforeTool", running));
      run(script);
      expect(hook(sandbox, call("AfterTool", running))).toEqual(silent);
    };
    const list = async () => {
      const { turns } = JSON.parse((await changes(sandbox, "--json")).text);
      return turns.map(({ changes: all }: { changes: { path: string; kind: string }[] }) =>
        all.map(({ path: file, kind }) => `${kind} ${path.relative(app, file)}`).sort(),
      );
    };
    return { sandbox, run, begin, runCommand, list };
  };

  test("is recorded by another process than its hooks, and its files are reverted", async () => {
    const { sandbox, run, begin, runCommand, list } = createProject();
    const before = run("cat .git/index .git/HEAD; find .git -type f | sort | xargs stat -c '%n %Y %s'");
    begin();
    runCommand("echo two >>a.txt; mv b.txt c.txt; echo new >new.txt");
    hook(sandbox, call("AfterAgent"));
    expect(await list()).toEqual([["added c.txt", "added new.txt", "deleted b.txt", "modified a.txt"]]);
    expect(await changes(sandbox, "revert", "--yes")).toMatchObject({ code: 0 });
    expect(run("cat a.txt b.txt; ls")).toBe("one\nb\na.txt\nb.txt\n");
    expect(run("cat .git/index .git/HEAD; find .git -type f | sort | xargs stat -c '%n %Y %s'")).toBe(before);
  });

  test("is recorded after hooks and snapshots were killed at any moment, and none of the user's files has changed", async () => {
    const { sandbox, run, begin, runCommand, list } = createProject();
    const { app, home, env } = sandbox;
    const before = run("cat .git/index a.txt b.txt; find . -type f | sort");
    const input = JSON.stringify({ cwd: app, ...call("BeforeAgent", { prompt: "x" }) });
    for (let round = 0; round < 12; round += 1) {
      const limit = `timeout -s KILL 0.${String(20 + round * 25).padStart(3, "0")}`;
      spawnSync("sh", ["-c", `exec ${limit} '${process.execPath}' '${executablePath()}' hook gemini`], {
        ...{ cwd: app, env, input },
      });
      const end = Date.now() + Math.random() * 200;
      let pid: number | undefined;
      while (Date.now() < end || (pid === undefined && Date.now() < end + 100)) pid ??= ownerIn(home);
      if (pid !== undefined && ownerIn(home) === pid) process.kill(pid, "SIGKILL");
    }
    begin();
    expect(run("cat .git/index a.txt b.txt; find . -type f | sort")).toBe(before);
    runCommand("echo two >>a.txt");
    expect(await list()).toEqual([["modified a.txt"]]);
  });
});

test.skipIf(process.getuid?.() !== 0)("a file that cannot be read is named, and all else is recorded", () => {
  // Root reads every file.
  const nobody = { uid: 65_534, gid: 65_534 };
  const { folder, home, app, env } = createSandbox();
  const program = path.join(folder, "program");
  cpSync(path.dirname(executablePath()), program, { recursive: true });
  const run = (command: string, input = "") => {
    const options = { cwd: app, env, input, encoding: "utf8", ...nobody } as const;
    const { status, stdout, stderr } = spawnSync("sh", ["-ec", command], options);
    waitForSnapshots(home);
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const ours = `'${process.execPath}' '${program}/ide-companion.js'`;
  const calls = (event: string, more: object) =>
    expect(run(`${ours} hook gemini`, JSON.stringify({ cwd: app, ...call(event, more) }))).toBe("");
  const running = { tool_name: "run_shell_command", tool_input: { command: "a script" } };
  execFileSync("chown", ["-R", "nobody", folder]);
  run(
    "git init -q; mkdir closed; for file in a b closed/c; do echo one >$file; done; git add -A; chmod 0 b closed",
  );
  calls("BeforeAgent", { prompt: "Run it" });
  calls("BeforeTool", running);
  run("echo two >>a; echo new >new; echo new >locked; chmod 0 locked");
  calls("AfterTool", running);
  calls("BeforeTool", edits("locked"));
  calls("AfterTool", edits("locked"));
  const [{ changes: found }] = JSON.parse(run(`${ours} changes --json`)).turns;
  const listed = found.map(({ path: file, kind, withheld = kind }: Record<string, string>) => [
    path.relative(app, file ?? ""),
    withheld,
  ]);
  expect(listed.sort()).toEqual([
    ["a", "modified"],
    ["locked", "no-file"],
    ["new", "added"],
  ]);
});

/** The process that takes a snapshot now. */
function ownerIn(home: string): number | undefined {
  const trees = path.join(home, ".local/state/ide-companion/written/trees");
  try {
    const lock = path.join(trees, readdirSync(trees)[0] ?? "", "lock");
    return JSON.parse(readFileSync(lock, "utf8")).owner.pid;
  } catch {
    return undefined; // none
  }
}

describe("ide-companion changes", () => {
  test("prints a patch that git takes out again", async () => {
    const sandbox = createSandbox();
    const git = (...args: readonly string[]) =>
      execFileSync("git", [...args], { cwd: sandbox.app, env: sandbox.env });
    git("init", "-q");
    runTurn(sandbox);
    const { text } = await changes(sandbox, "diff");
    writeFileSync(path.join(sandbox.folder, "patch"), text);
    git("apply", "-R", path.join(sandbox.folder, "patch"));
    expect(readFileSync(path.join(sandbox.app, "a.txt"), "utf8")).toBe("one\r\ntwo");
    expect(existsSync(path.join(sandbox.app, "new.txt"))).toBe(false);
  });

  test("keeps what is committed as it is, and nothing that is committed otherwise", async () => {
    const sandbox = createSandbox();
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: sandbox.app,
        env: sandbox.env,
      });
    git("init", "-q");
    writeFileSync(path.join(sandbox.app, "old.txt"), "old\n");
    git("add", ".");
    git("commit", "-qm", "first");
    runTurn(sandbox);
    // An agent puts back what is committed, over what the user has not.
    writeFileSync(path.join(sandbox.app, "old.txt"), "mine\n");
    hook(sandbox, call("BeforeTool", edits("old.txt")));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    writeFileSync(path.join(sandbox.app, "old.txt"), "old\n");
    hook(sandbox, call("AfterTool", edits("old.txt")));
    git("add", "a.txt");
    git("commit", "-qm", "second");
    const { text } = await changes(sandbox);
    expect(text).toContain("new.txt");
    expect(text).toContain("old.txt");
    expect(text).not.toContain("a.txt");
  });

  test("lists a turn, reverts it, and undoes that", async () => {
    const sandbox = createSandbox();
    runTurn(sandbox);
    const list = await changes(sandbox);
    expect(list.text).toMatch(
      /[0-9a-f]{8} {2}Change two files\n +Gemini CLI, \d+ s ago\n +M .*a\.txt {2}\+1 −1\n +A .*new\.txt {2}\+1 −0/,
    );
    expect(await changes(sandbox, "revert")).toMatchObject({ code: 1 });
    expect(await changes(sandbox, "revert", "--yes", "a.txt")).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(sandbox.app, "a.txt"), "utf8")).toBe("one\r\ntwo");
    expect(existsSync(path.join(sandbox.app, "new.txt"))).toBe(true);
    expect(await changes(sandbox, "undo", "--yes")).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(sandbox.app, "a.txt"), "utf8")).toBe("one\r\nTWO");
    const { text } = await changes(sandbox, "keep", "--json");
    expect(JSON.parse(text).kept).toHaveLength(2);
    expect((await changes(sandbox)).text).toBe("Nothing that an agent wrote without asking waits for you.\n");
  });

  test("names a file that a turn has renamed by both names", async () => {
    const sandbox = createSandbox();
    const old = path.join(sandbox.app, "old.txt");
    const fresh = path.join(sandbox.app, "new.txt");
    writeFileSync(old, "one\ntwo\nthree\n");
    hook(sandbox, call("BeforeAgent", { prompt: "Rename it" }));
    for (const file of [old, fresh]) hook(sandbox, call("BeforeTool", edits(file)));
    rmSync(old);
    writeFileSync(fresh, "one\ntwo\n3\n");
    for (const file of [old, fresh]) hook(sandbox, call("AfterTool", edits(file)));
    expect((await changes(sandbox)).text).toMatch(
      /\n +D \S*old\.txt {2}\+0 −3\n +R \S*old\.txt → \S*new\.txt {2}\+3 −0\n/,
    );
    const [turn] = JSON.parse((await changes(sandbox, "--json")).text).turns;
    expect(turn.changes).toMatchObject([{ path: old }, { path: fresh, renamedFrom: old }]);
  });

  test("decides nothing by a slip", async () => {
    const sandbox = createSandbox();
    runTurn(sandbox);
    runTurn(sandbox);
    const id = /[0-9a-f]{8}/.exec((await changes(sandbox)).text)?.[0] ?? "";
    for (const words of [
      ["revert"],
      ["keep"],
      ["keep", "--all", "a.txt"],
      ["diff", "other.txt"],
      ["list", "--all"],
    ])
      expect(await changes(sandbox, ...words)).toMatchObject({ code: 2 });
    expect((await changes(sandbox, "keep", "--hunk", "9", "--turn", id)).code).toBe(2);
    expect((await changes(sandbox, "keep", "--turn", id.slice(0, 6))).code).toBe(0);
  });
});
