import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";

/** As users run it. */
const executable = join(import.meta.dirname, "../../packages/companion/dist/ide-companion.js");

/** Characters: in an hour it prints too much to store. */
const outputLimit = 50_000;

/** The content of a file outside every open folder; it must never be sent. */
export const outsideSecret = "outside-of-every-open-folder";

/** The companion's real process, with its review page, and all credentials. */
export interface Subject {
  /** Where the CLIs connect. */
  readonly port: number;
  readonly token: string;
  /** Another agent's. */
  readonly otherToken: string;
  readonly pagePort: number;
  /** `name=value` */
  readonly cookie: string;
  readonly sandbox: Sandbox;
  /** The longest that its event loop was blocked since the last call, in milliseconds. */
  blockedFor(): Promise<number>;
  /** Undefined while it runs. */
  readonly exit: string | undefined;
  /** The last that it has printed. */
  output(): string;
  stop(): Promise<void>;
}

export async function startSubject(): Promise<Subject> {
  const sandbox = createSandbox();
  layOut(sandbox);
  const watch = join(import.meta.dirname, "loop-watch.mjs");
  const args = ["--import", watch, executable, sandbox.workspace, "--no-open", "--log-level", "debug"];
  const child = sandbox.own(
    spawn(process.execPath, args, {
      cwd: sandbox.workspace,
      env: sandbox.env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    }),
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-outputLimit);
    });
  }
  const stop = async () => {
    if (isRunning(child)) {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
    sandbox.remove();
  };
  try {
    const [, link = "", port = ""] = await says(child, () => output);
    return {
      port: Number(port),
      token: readToken(sandbox, "gemini"),
      otherToken: readToken(sandbox, "qwen"),
      pagePort: Number(new URL(link).port),
      cookie: await redeem(link),
      sandbox,
      async blockedFor() {
        const answered = once(child, "message");
        child.send("how long?");
        const [{ milliseconds }] = await answered;
        return milliseconds;
      },
      get exit() {
        return isRunning(child) ? undefined : `${child.exitCode ?? child.signalCode}`;
      },
      output: () => output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function layOut({ folder, workspace }: Sandbox): void {
  mkdirSync(join(workspace, "src"));
  writeFileSync(join(workspace, "src", "a.ts"), "const a = 1;\n");
  writeFileSync(join(folder, "secret.txt"), outsideSecret);
  symlinkSync(join(folder, "secret.txt"), join(workspace, "link.txt"));
  symlinkSync(folder, join(workspace, "link"));
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

async function says(child: ChildProcess, output: () => string): Promise<RegExpMatchArray> {
  for (;;) {
    const found = output().match(/(http:\/\/127\.0\.0\.1:\d+\/\S+)[\s\S]*Port +(\d+)/);
    if (found) return found;
    if (!isRunning(child)) throw new Error(`the companion has ended:\n${output()}`);
    await Promise.race([child.stdout && once(child.stdout, "data"), once(child, "exit")]);
  }
}

function readToken({ host }: Sandbox, agent: string): string {
  const folder = join(host.tmp, agent, "ide");
  const [name = ""] = readdirSync(folder);
  return JSON.parse(readFileSync(join(folder, name), "utf8")).authToken;
}

async function redeem(link: string): Promise<string> {
  const [response] = await once(request(link).end(), "response");
  response.resume();
  return String(response.headers["set-cookie"]).split(";")[0] ?? "";
}
