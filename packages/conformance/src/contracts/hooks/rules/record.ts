import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../until.ts";
import { byUser, demand, demandNone, NotRun, problemsOfPrivacy, quote } from "../../check.ts";
import { observed, recommended } from "../../requirement.ts";
import { callIn, hookAgentNames } from "../calls.ts";
import { type HookRules, type Means, runTurn } from "../means.ts";

/** A hook that does not hear some calls. @param pattern of the shell */
const deafTo = (pattern: string) =>
  `call=$(cat); case "$* $call" in ${pattern}) exit;; esac; printf %s "$call" | "$@"`;

/** What a hook keeps, and what it leaves alone. */
export const recordRules: HookRules = {
  HR1: {
    MUST: "Of a file that a tool for edits writes, the texts before and after are recorded, for every agent.",
    sources: observed(
      "The call before the tool is a plan: only the file says what was there, and what was written.",
    ),
    check: "edits-recorded",
    ...byUser,
    async run(means) {
      const work = await means.folder();
      for (const agent of hookAgentNames) {
        const name = `${agent}.txt`;
        await writeFile(join(work, name), "before\n");
        await runTurn(means, work, agent, { file: name, text: "after\n" });
        await demandPatch(means, join(work, name), ["-before", "+after"]);
      }
    },
    fault: {
      script: deafTo("*PreToolUse*|*preToolUse*|*BeforeTool*"),
      says: /no patch of .* has "-before"/,
    },
  },
  HR2: {
    SHOULD: "In a work tree of git, what a command of the agent's shell writes is recorded as well.",
    sources: observed("No CLI says what a command has written."),
    check: "commands-recorded",
    ...byUser,
    async run(means) {
      const work = await means.folder();
      await runTurn(means, work, "gemini", { pause: means.limits.event / 5 });
      await demandPatch(means, join(work, "made.txt"), ["+made"]);
    },
    fault: { script: deafTo("*run_shell_command*"), says: /no patch of .*made\.txt has "\+made"/ },
  },
  HR3: {
    MUST: "Neither a hook, nor what it leaves running, writes in the user's folder or in its `.git`.",
    sources: recommended("The files, the index and the stash are the user's."),
    check: "folder-untouched",
    async run(means) {
      const { folder, limits } = means;
      const work = await folder();
      await delay(10); // the clock of files is coarse
      const before = await stampsIn(work);
      await runTurn(means, work, "codex", { pause: limits.quiet });
      await delay(3 * limits.quiet); // for what it has left running
      const after = await stampsIn(work);
      const changed = [...before, ...after].filter(
        (line) => !(before.includes(line) && after.includes(line)),
      );
      demand(changed.length === 0, `during a turn these have changed: ${changed.join(", ")}`);
    },
    fault: { script: '"$@"; touch .git/index', says: /these have changed: .*index/ },
  },
  HR4: {
    MUST: "Whatever it keeps is for its user alone: files with mode 0600, folders with 0700.",
    isSecurity: true,
    sources: recommended("Calls hold the user's prompts and files."),
    check: "private-record",
    async run(means) {
      await runTurn(means, await means.folder(), "gemini");
      demandNone(await problemsOfPrivacy(await kept(means)));
    },
    fault: { script: '"$@"; chmod -R go+r "$XDG_STATE_HOME"', says: /has mode 644/ },
  },
  HR5: {
    MUST: "Of a file that is kept from agents, such as `.env`, and of a prompt behind its first line, it keeps no text.",
    isSecurity: true,
    sources: observed("Calls hold the prompt, and what the agent writes."),
    check: "secret-file",
    async run(means) {
      const work = await means.folder();
      const texts = ["s3cret-before", "s3cret-after", "s3cret-prompt"];
      await writeFile(join(work, ".env"), `KEY=${texts[0]}\n`);
      await runTurn(means, work, "gemini", { file: ".env", text: `KEY=${texts[1]}\n` });
      const prompt = callIn(work, "gemini");
      await means.call(work, { ...prompt, text: prompt.text.replace("Write a file", `$&\\n${texts[2]}`) });
      for (const name of await kept(means)) {
        const bytes = (await stat(name)).isFile() ? await readFile(name) : Buffer.of();
        const found = texts.find((text) => bytes.includes(text));
        demand(found === undefined, `${quote(found)} is in ${name}`);
      }
    },
    fault: { script: 'cp .env "$XDG_STATE_HOME/copy"; "$@"', says: /"s3cret-.*" is in/ },
  },
};

/** @throws Broken unless the user comes to see these lines in the patch of a file */
async function demandPatch({ editor, limits }: Means, file: string, lines: readonly string[]): Promise<void> {
  let patch = "";
  const missing = () => lines.find((line) => !patch.split("\n").includes(line));
  await until(async () => {
    patch = await editor.written(file);
    return missing() === undefined;
  }, limits.event);
  const line = missing();
  demand(line === undefined, `no patch of ${file} has ${quote(line)}: ${patch}`);
}

/** Every file and folder below a folder. */
const allIn = async (folder: string) =>
  (await readdir(folder, { recursive: true })).map((name) => join(folder, name));

/** All that programs of this target keep. @throws NotRun where that is nothing */
async function kept({ target }: Means): Promise<readonly string[]> {
  const names = await allIn(target.env.XDG_STATE_HOME ?? "").catch(() => []);
  if (names.length === 0) throw new NotRun("it keeps nothing in $XDG_STATE_HOME");
  return names;
}

/** A line for each file of a folder that changes with it, without those that turns write. */
async function stampsIn(folder: string): Promise<readonly string[]> {
  const names = (await allIn(folder)).filter((name) => !/(?:new|made)\.txt$/.test(name));
  return Promise.all(names.map(async (name) => `${name} ${(await stat(name)).ctimeMs}`));
}
