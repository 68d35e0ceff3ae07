import { writeFile } from "node:fs/promises";
import { byUser, demand, NotRun, quote } from "../../check.ts";
import { observed, recommended } from "../../requirement.ts";
import { beforeTool, callIn, hookAgentNames } from "../calls.ts";
import { demandSilence, type HookRules, runTurn } from "../means.ts";

const openOrClosed = observed(
  "Gemini CLI and Copilot CLI write nothing any more after an exit code of an error; Claude Code and Codex CLI show their user a failed hook.",
);

const tooLong = `{"x":"${"x".repeat(17 * 1024 * 1024)}"}`;

/** An agent goes on, whatever happens to its hook. */
export const goOnRules: HookRules = {
  HG1: {
    MUST: "What is no call (no JSON, no object, nothing, megabytes) ends with the exit code 0, and with no output.",
    sources: openOrClosed,
    check: "bad-json",
    async run({ folder, call }) {
      const work = await folder();
      for (const agent of hookAgentNames)
        demandSilence(await call(work, { ...callIn(work, agent), text: "{" }), `bad JSON of ${agent}`);
      for (const text of ["", "[1]", "null", tooLong])
        demandSilence(await call(work, { ...callIn(work, "gemini"), text }), quote(text.slice(0, 10)));
    },
    fault: { script: '"$@"; echo "Unexpected end of JSON input" >&2', says: /^to bad JSON .* said "Unexp/ },
  },
  HG2: {
    MUST: "An event that the hook does not know ends likewise.",
    sources: recommended("The next version of a CLI has more of them."),
    check: "unknown-event",
    async run({ folder, call }) {
      const work = await folder();
      const [named, unnamed] = [callIn(work, "gemini"), callIn(work, "copilot")];
      const text = named.text.replace(named.event, "NewEvent");
      demandSilence(await call(work, { ...named, text }), "an unknown event");
      demandSilence(await call(work, { ...unnamed, words: ["newEvent"] }), "an unknown event");
    },
    fault: { script: '"$@"; exit 1', says: /^to an unknown event .* ended with 1$/ },
  },
  HG3: {
    MUST: "A call ends likewise where the state folder cannot be made, and where the disk is full.",
    sources: openOrClosed,
    check: "no-state",
    async run({ folder, call, path, write, target }) {
      if (process.platform === "win32") throw new NotRun("it needs a disk that is full");
      const work = await folder();
      await writeFile(`${work}/new.txt`, "old\n".repeat(2000));
      const before = callIn(work, "gemini", beforeTool);
      const env = { ...target.env, XDG_STATE_HOME: await write("taken", ""), HOME: path("taken") };
      demandSilence(await call(work, before, { env }), "a call without a state folder");
      const hook = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", ...target.hook];
      demandSilence(await call(work, before, { hook }), "a call with a full disk");
    },
    fault: { script: '"$@"; [ -d "$XDG_STATE_HOME" ] || exit 2', says: /without a state folder .* with 2$/ },
  },
  HG4: {
    MUST: "A call for which no user is awaited ends within 3 seconds, and nothing that it leaves running holds its output.",
    sources: observed(
      "Codex CLI ends some hooks after 3 s, and every CLI waits for its hook, and the end of its output.",
    ),
    check: "in-time",
    async run(means) {
      const work = await means.folder();
      await runTurn(means, work, "codex");
    },
    fault: { script: '"$@"; sleep 7', says: /^the hook took \d+ ms, more than/ },
  },
  HG5: {
    MUST: "A CLI that has no user at a terminal, or is not connected, is neither made to ask nor held, whatever its user has said.",
    sources: observed(
      "Asked without a terminal, Gemini CLI ends without a word, and Claude Code denies the tool.",
    ),
    check: "headless",
    ...byUser,
    async run({ folder, editor, call, callConnected }) {
      const work = await folder();
      await editor.review(work, "before");
      const calls = hookAgentNames.map((agent) => callIn(work, agent, beforeTool));
      for (const each of calls)
        demandSilence(await call(work, each), `${each.agent}, which is not connected,`);
      for (const [index, said] of (await callConnected(calls, false)).entries())
        demand(said === "", `without a terminal, ${calls[index]?.agent} was answered ${said}`);
    },
    fault: { script: '"$@"; echo "{\\"decision\\":\\"ask\\"}"', says: /not connected, the hook said .*ask/ },
  },
};
