import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { executableIn } from "../bundle.mjs";
import { interleave, timed } from "../rounds.mjs";
import { recordOf, waitForSnapshots } from "../testkit.mjs";

/** Short runs: many rounds cost little. */
const atLeast = 9;

/** Files of the work tree, 100 in a folder. */
const files = 100_000;

/**
 * What an agent waits for with each edit and each shell command, over an empty Node.
 * @param {import("./index.mjs").Bench} bench
 */
export async function hook({ bundles, sandbox, rounds }) {
  const { env, home, workspace } = sandbox;
  const file = join(workspace, "edited.txt");
  const empty = join(sandbox.folder, "empty.mjs");
  writeFileSync(file, "a line of text\n".repeat(700));
  writeFileSync(empty, "");
  execFileSync("git", ["init", "-q"], { cwd: workspace, env });
  const call = (event, tool_name, tool_input) =>
    JSON.stringify({ session_id: "s", cwd: workspace, hook_event_name: event, tool_name, tool_input });
  const command = { command: "true" };
  const run = (words, input) =>
    timed(() => spawnSync(process.execPath, words, { cwd: workspace, env, input }));
  const ours = [executableIn(bundles), "hook", "gemini"];
  const subjects = {
    empty: () => run([empty], call("BeforeTool", "replace", { file_path: file })),
    edit: () => run(ours, call("BeforeTool", "replace", { file_path: file })),
    start: () => run(ours, call("BeforeTool", "run_shell_command", command)),
    end: () => run(ours, call("AfterTool", "run_shell_command", command)),
  };
  const round = async (name) => {
    const time = await subjects[name]();
    waitForSnapshots(home);
    return time;
  };
  const count = Math.max(rounds, atLeast);
  const results = await interleave(Object.keys(subjects), count, round, { warm: true });
  const row = (title, name) => ({
    title: `Hook ${title}, over an empty Node`,
    samples: results.in({ floor: "empty", ours: name }),
    judged: "ratio",
    must: 1.5,
  });
  return [
    row("before an edit of 10 KB", "edit"),
    row("before a shell command", "start"),
    row("after a shell command, with the start of a snapshot", "end"),
  ];
}

/**
 * A snapshot of a large work tree in the background, over a Node that runs `git status`.
 * @param {import("./index.mjs").Bench} bench
 */
export async function snapshot({ bundles, sandbox, rounds }) {
  const { env, home, tmp } = sandbox;
  const top = join(sandbox.folder, "large");
  for (let number = 0; number < files; number += 1) {
    const folder = join(top, `${Math.floor(number / 10_000)}`, `${Math.floor(number / 100)}`);
    if (number % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${number}.txt`), `${number}\n`);
  }
  const git = (...words) => execFileSync("git", words, { cwd: top, env, stdio: "ignore" });
  git("init", "-q");
  git("config", "gc.auto", "0"); // it would go on in the background
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
  const record = recordOf({ home, tmp, env: {}, delimiter });
  const words = [executableIn(bundles), "hook", "--snapshot", top];
  const take = async () => {
    await record.request(top);
    return timed(() => spawnSync(process.execPath, words, { env }));
  };
  const floor = join(sandbox.folder, "status.mjs");
  writeFileSync(
    floor,
    'import { execFileSync } from "node:child_process"; execFileSync("git", ["status", "--porcelain"]);',
  );
  const subjects = {
    status: () => timed(() => spawnSync(process.execPath, [floor], { cwd: top, env })),
    first: async () => {
      rmSync(record.folder, { recursive: true, force: true });
      return take();
    },
    next: take,
  };
  const round = (name, number) => {
    appendFileSync(join(top, "0", "0", "0.txt"), `${name} ${number}\n`);
    return subjects[name]();
  };
  const results = await interleave(Object.keys(subjects), rounds, round, { warm: true });
  const row = (title, name) => ({
    title: `Snapshot of ${files} files, ${title}, over a Node that runs git status`,
    samples: results.in({ floor: "status", ours: name }),
    judged: "ratio",
  });
  return [row("the first", "first"), { ...row("a later one", "next"), must: 1.3 }];
}
