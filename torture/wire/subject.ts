import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createPlace, type Place } from "../harness/place.ts";

/** As users run it. */
const executable = join(import.meta.dirname, "../../packages/companion/dist/ide-companion.js");

/** Characters: in an hour it prints more than anybody reads. */
const keptOutput = 50_000;

/** Lies outside of every open folder, and must never be seen on a wire. */
export const outsideSecret = "outside-of-every-open-folder";

/** The companion's real process, with its review page, and everything that lets one in. */
export interface Subject {
  /** Where the CLIs connect. */
  readonly port: number;
  readonly token: string;
  /** Another agent's. */
  readonly otherToken: string;
  readonly pagePort: number;
  /** `name=value` */
  readonly cookie: string;
  readonly place: Place;
  /** The longest that its event loop was blocked since the last question, in milliseconds. */
  blockedFor(): Promise<number>;
  /** Undefined while it runs. */
  readonly exit: string | undefined;
  /** The last that it has printed. */
  output(): string;
  stop(): Promise<void>;
}

export async function startSubject(): Promise<Subject> {
  const place = createPlace();
  layOut(place);
  const watch = join(import.meta.dirname, "loop-watch.mjs");
  const args = ["--import", watch, executable, place.workspace, "--no-open", "--log-level", "debug"];
  const child = place.own(
    spawn(process.execPath, args, {
      cwd: place.workspace,
      env: place.env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    }),
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-keptOutput);
    });
  }
  const stop = async () => {
    if (isRunning(child)) {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
    place.remove();
  };
  try {
    const [, link = "", port = ""] = await says(child, () => output);
    return {
      port: Number(port),
      token: readToken(place, "gemini"),
      otherToken: readToken(place, "qwen"),
      pagePort: Number(new URL(link).port),
      cookie: await redeem(link),
      place,
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

function layOut({ folder, workspace }: Place): void {
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

function readToken({ host }: Place, agent: string): string {
  const folder = join(host.tmp, agent, "ide");
  const [name = ""] = readdirSync(folder);
  return JSON.parse(readFileSync(join(folder, name), "utf8")).authToken;
}

async function redeem(link: string): Promise<string> {
  const [response] = await once(request(link).end(), "response");
  response.resume();
  return String(response.headers["set-cookie"]).split(";")[0] ?? "";
}
