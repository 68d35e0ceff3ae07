import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import type { CommonMeans } from "../../run/subject.ts";
import { type Call, runToEnd } from "../../target/editor-hook.ts";
import { parseJson } from "../../wire/json-rpc.ts";
import { Broken, NotRun } from "../check.ts";
import type { Target } from "../gemini-family/target/target.ts";
import type { HookCall } from "./calls.ts";

/** A companion, and the program that CLIs call as their hook. */
export interface HookTarget extends Target {
  /** Program and first words. */
  readonly hook: readonly string[];
  /** The variables of both. */
  readonly env: NodeJS.ProcessEnv;
}

/** How a program has ended, and what it has said. */
export interface Answer {
  readonly code: unknown;
  readonly said: string;
}

/** Runs a program, and waits until nothing of it can say anything. */
export async function runProgram(words: readonly string[], call: Call): Promise<Answer> {
  const { stdout, stderr, how } = await runToEnd(words, { input: "", ...call });
  return { code: how, said: `${stdout}${stderr}` };
}

/** Connects as Gemini CLI does, calls hooks, and prints what each says. */
const cli = `
import { spawnSync } from "node:child_process";
const { port, token, commands } = JSON.parse(process.env.CONFORMANCE_CALLS);
const send = (method, session, body) => fetch("http://127.0.0.1:" + port + "/mcp", {
  method, body: body && JSON.stringify({ jsonrpc: "2.0", ...body }),
  headers: { authorization: "Bearer " + token, "content-type": "application/json",
    accept: "application/json, text/event-stream", ...session } });
const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "cli", version: "1" } };
const opened = await send("POST", {}, { id: 1, method: "initialize", params });
const session = { "mcp-session-id": opened.headers.get("mcp-session-id") };
await send("POST", session, { method: "notifications/initialized" });
const stream = await send("GET", session);
const said = commands.map(({ words: [program, ...words], text }) =>
  spawnSync(program, words, { input: text, encoding: "utf8" }).stdout);
process.stdout.write(JSON.stringify(said) + "\\n", () => process.exit());
`;

/** What Codex CLI has for its hooks, as far as it adds files. */
const applyPatch = `#!/usr/bin/awk -f
/^\\*\\*\\* Add File: / { name = substr($0, 15) }
/^\\+/ { print substr($0, 2) > name }
`;

/**
 * Calls hooks by a CLI that is connected to the companion. Linux alone has the terminal for it.
 * @returns what each has said
 * @throws NotRun, Broken when it comes to no end
 */
export async function callByConnected(
  { hook, port, tokens }: HookTarget,
  calls: readonly HookCall[],
  {
    write,
    hasTerminal,
    ...call
  }: Call & Pick<CommonMeans<HookTarget>, "write"> & { readonly hasTerminal: boolean },
): Promise<readonly string[]> {
  if (process.platform !== "linux") throw new NotRun("it needs the program script of Linux");
  const [program, patcher] = [await write("cli.mjs", cli), await write("apply_patch", applyPatch)];
  await chmod(patcher, 0o755);
  const commands = calls.map(({ agent, words, text }) => ({ words: [...hook, agent, ...words], text }));
  const env = {
    ...call.env,
    CONFORMANCE_CALLS: JSON.stringify({ port, token: tokens.get("gemini"), commands }),
    // Claude Code says so itself.
    CLAUDE_CODE_SESSION_ATTENDED: hasTerminal ? "1" : "0",
    PATH: `${dirname(patcher)}:${call.env.PATH}`,
  };
  const line = `'${process.execPath}' '${program}'`;
  const words = hasTerminal ? ["script", "-qec", line, "/dev/null"] : ["sh", "-c", line];
  const { code, said } = await runProgram(words, { ...call, env });
  if (code === "ENOENT") throw new NotRun("there is no program script");
  const answers = parseJson(said);
  if (Array.isArray(answers)) return answers;
  throw new Broken(`the calls of a CLI that is connected have come to no end: ${said}`);
}
