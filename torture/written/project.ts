import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { placeOf, requestSnapshot } from "../../packages/companion/src/cli/hook/place.ts";
import { takeSnapshots } from "../../packages/companion/src/cli/hook/snapshots.ts";
import { readUncommitted } from "../../packages/companion/src/core/written/committed.ts";
import type { LogEntry } from "../../packages/companion/src/core/written/entries.ts";
import { lookInto } from "../../packages/companion/src/core/written/look-into.ts";
import type { Written } from "../../packages/companion/src/core/written/written.ts";
import { WrittenLog } from "../../packages/companion/src/core/written/written-log.ts";
import { WrittenWatch } from "../../packages/companion/src/core/written/written-watch.ts";
import { writtenFolder } from "../../packages/companion/src/system/host.ts";
import { createSandbox } from "../harness/sandbox.ts";

export const people = ["user", "one", "two"] as const;
export type Person = (typeof people)[number];

const executable = join(import.meta.dirname, "../../packages/companion/dist/ide-companion.js");

/** A git project in which a user and two agents have separate lines of three files, and what hooks record of it. */
export class Project {
  readonly #sandbox = createSandbox();
  readonly #log = new WrittenLog(writtenFolder(this.#sandbox.host));
  readonly #watch = new WrittenWatch({
    ...{ folder: this.#log.folder, onTurn: () => {}, isSecret: async () => false },
  });
  readonly #running = new Map<Person, string>();
  #count = 0;

  constructor() {
    for (const name of this.names) this.put(name, people.map(toZone).join(""));
    this.git("init", "-q");
    this.commit();
  }

  readonly names = ["0.txt", "1.txt", "2.txt"] as const;

  path = (name: string): string => join(this.#sandbox.workspace, name);
  put = (name: string, text: string): void => writeFileSync(this.path(name), text);
  read = (name: string): string => (existsSync(this.path(name)) ? readFileSync(this.path(name), "utf8") : "");

  git(...args: readonly string[]): void {
    const words = ["-c", "user.name=a", "-c", "user.email=a@b", ...args];
    const { env, workspace: cwd } = this.#sandbox;
    execFileSync("git", words, { cwd, env, stdio: "ignore" });
  }

  commit(): void {
    this.git("add", "-A");
    this.git("commit", "-qm", "more", "--allow-empty");
  }

  /** Lines that begin with a person's name, by file. */
  linesOf(person: Person): Readonly<Record<string, string>> {
    const all = readdirSync(this.#sandbox.workspace).filter((name) => name.endsWith(".txt"));
    const own = (name: string) =>
      this.read(name)
        .split("\n")
        .filter((line) => line.startsWith(`${person} `));
    return Object.fromEntries(
      all.map((name) => [name, own(name).join("\n")]).filter(([, text]) => text !== ""),
    );
  }

  /** Adds a line to a person's part of a file, or removes the last one. @returns the line that is new */
  change(person: Person, name: string, isRemoval: boolean): string | undefined {
    const lines = this.read(name).split("\n");
    const end = lines.indexOf(`end ${person}`);
    if (end < 0) return undefined;
    if (isRemoval) {
      if (lines[end - 1]?.startsWith(`${person} `)) lines.splice(end - 1, 1);
      this.put(name, lines.join("\n"));
      return undefined;
    }
    const line = `${person} ${++this.#count}`;
    lines.splice(end, 0, line);
    this.put(name, lines.join("\n"));
    return line;
  }

  /** Makes, deletes or renames a file that is a person's alone. @returns the line that is new */
  moveOwn(person: Person, how: number): string | undefined {
    const own = readdirSync(this.#sandbox.workspace).filter((name) => name.startsWith(`${person}-`));
    const [first] = own;
    if (how === 0 || first === undefined) {
      const line = `${person} ${++this.#count}`;
      this.put(`${person}-${this.#count}.txt`, `${line}\n`);
      return line;
    }
    const text = this.read(first);
    rmSync(this.path(first));
    if (how === 1) return undefined;
    this.put(`${person}-${++this.#count}.txt`, text);
    return undefined;
  }

  async begins(person: Person): Promise<void> {
    this.#append(person, { kind: "turn-start", title: "A prompt", folder: this.#sandbox.workspace });
    await this.snapshot();
  }

  /** By an edit tool. */
  async edits(person: Person, name: string, act: () => void): Promise<void> {
    const look = async () => ({
      [this.path(name)]: await lookInto(this.path(name), this.#log, async () => false),
    });
    this.#append(person, { kind: "before", files: await look() });
    act();
    this.#append(person, { kind: "after", files: await look() });
    this.#tick();
  }

  /** The user, in an editor. */
  async saves(name: string, isRemoval: boolean): Promise<void> {
    this.change("user", name, isRemoval);
    this.#tick();
    await this.#watch.read();
    await this.#watch.noteSaved(this.path(name));
    this.#tick();
  }

  starts(person: Person): void {
    const command = `${++this.#count}`;
    this.#running.set(person, command);
    this.#append(person, { kind: "command-start", command, folder: this.#sandbox.workspace });
  }

  ends(person: Person): void {
    const command = this.#running.get(person);
    this.#append(person, { kind: "command-end", command, folder: this.#sandbox.workspace });
  }

  async snapshot(): Promise<void> {
    await this.#request();
    await takeSnapshots(this.#sandbox.workspace, this.#sandbox.host);
    this.#tick();
  }

  /** By the process that a hook starts, which is killed. */
  async killedSnapshot(afterMs: number): Promise<void> {
    await this.#request();
    const words = [executable, "hook", "--snapshot", this.#sandbox.workspace];
    const child = this.#sandbox.own(
      spawn(process.execPath, words, { env: this.#sandbox.env, stdio: "ignore" }),
    );
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    await once(child, "exit");
    clearTimeout(timer);
  }

  /** A hook is killed while it writes. */
  cutLog(): void {
    const day = this.#log.days.at(-1);
    if (day) appendFileSync(day, '\n{"at":1,"agent":"gemini","sess');
  }

  written = (): Promise<Written> => readUncommitted(this.#log);

  remove = (): void => this.#sandbox.remove();

  async #request(): Promise<void> {
    mkdirSync(this.#log.folder, { recursive: true, mode: 0o700 });
    requestSnapshot(await placeOf(this.#sandbox.workspace, this.#log));
  }

  #append(session: Person, entry: object): void {
    this.#tick();
    this.#log.append({ at: Date.now(), agent: "gemini", session, ...entry } as LogEntry);
    this.#tick();
  }

  /** Waits until the clock of files has left this millisecond, as a hook takes longer to start and to end. */
  #tick(): void {
    const now = Date.now() + 1;
    const probe = join(this.#sandbox.folder, "probe");
    do writeFileSync(probe, "");
    while (statSync(probe).ctimeMs <= now);
  }
}

/** A part of a file that is a person's, far from the others' for any diff. */
const toZone = (person: Person): string =>
  [
    `begin ${person}`,
    ...["a", "b", "c"].map((line) => `${line} of ${person}s`),
    `end ${person}`,
    ...["d", "e", "f"].map((line) => `${line} of ${person}s`),
  ]
    .map((line) => `${line}\n`)
    .join("");
