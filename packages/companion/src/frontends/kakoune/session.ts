import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, rmSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { readIfThere } from "../../system/disk.ts";
import type { OpenFileParams } from "../protocol/messages.ts";

/** A word of Kakoune's command language that stands for this text, whatever it holds. Pure. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Reads the words that `echo -quoting kakoune` has written, of which the last is `end`.
 * @returns those before it; undefined when they are not all there, as while they are being written
 */
export function parseWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const word = /'((?:[^']|'')*)'(?: |$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    words.push((found[1] ?? "").replaceAll("''", "'"));
  }
  return words.pop() === "end" ? words : undefined;
}

/** The commands that follow run in this buffer, and nobody sees it. `buffer` would want one to come from. */
export const inBuffer = (path: string): string => `edit -existing ${quote(path)}`;

export interface BufferText {
  /** As Kakoune would write it. */
  readonly text: string;
  /** Grows with each change of the buffer. */
  readonly timestamp: string;
}

export interface SessionOptions {
  /** As `kak -p` knows the session. */
  readonly name: string;
  /** Absolute path of the folder that Kakoune writes into; it exists. */
  readonly folder: string;
  /** Kakoune has written a file of this name, perhaps not yet to its end: then it is reported again. */
  readonly onMail: (name: string) => void;
  readonly onError: (error: Error) => void;
  /** @throws Error when there is no such session */
  readonly send?: (session: string, commands: string) => Promise<void>;
  /** How long Kakoune may take for what it is asked, in milliseconds. */
  readonly limit?: number;
}

/** A Kakoune session: it takes commands, and writes what it has to say into a folder, one small file each. */
export class Session {
  readonly folder: string;
  readonly #options: Required<SessionOptions>;
  readonly #watcher: FSWatcher;
  /** By the names of files. */
  readonly #expected = new Map<string, () => void>();
  #name: string;
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;

  constructor(options: SessionOptions) {
    this.#options = { send: sendCommands, limit: 5000, ...options };
    this.folder = options.folder;
    this.#name = options.name;
    this.#watcher = watch(this.folder, (_, name) => {
      if (name === null) return;
      const wanted = this.#expected.get(name);
      if (!wanted) return options.onMail(name);
      this.take(name);
      wanted();
    });
    this.#watcher.on("error", options.onError);
  }

  /** The session is called this from now on. */
  rename(name: string): void {
    this.#name = name;
  }

  /** Sends commands, which Kakoune does after those that were sent before. @throws Error when there is no such session */
  do(...commands: readonly string[]): Promise<void> {
    const sent = this.#last.then(() => this.#options.send(this.#name, commands.join("\n")));
    this.#last = sent.catch(() => {}); // reported to the sender
    return sent;
  }

  /** The same in a client. */
  doIn(client: string, command: string): Promise<void> {
    return this.do(`evaluate-commands -client ${quote(client)} ${quote(command)}`);
  }

  /** Shows all clients a message. */
  say(message: string | undefined): void {
    if (message !== undefined) this.do(`ide-companion-say ${quote(message)}`).catch(() => {}); // it has ended
  }

  /** For who reads the log. */
  log(message: string): void {
    this.do(`echo -debug ide-companion: ${quote(message)}`).catch(() => {}); // it has ended, and its log with it
  }

  /**
   * Sends commands, and waits for the first of some files that they write.
   * @returns its name; the file is taken away
   * @throws Error when none comes in time, or there is no such session
   */
  async ask(names: readonly string[], ...commands: readonly string[]): Promise<string> {
    const [name] = await Promise.all([this.#receive(names), this.do(...commands)]);
    return name;
  }

  /** The command that writes a file. */
  writes(name: string, words = ""): string {
    return `echo -to-file ${this.#quotePath(name)} ${words}`;
  }

  /** The words of a file that stays; undefined when they are not all there. */
  readWords(name: string): readonly string[] | undefined {
    return parseWords(readIfThere(path.join(this.folder, name)) ?? "");
  }

  /** The same of a file that is taken away: it is reported again when there is more of it, and may be reported twice. */
  takeWords(name: string): readonly string[] | undefined {
    const words = this.readWords(name);
    return words && this.take(name) !== undefined ? words : undefined;
  }

  /** The text of a file, which is taken away. @returns undefined when there is none */
  take(name: string): string | undefined {
    const file = path.join(this.folder, name);
    const content = readIfThere(file);
    rmSync(file, { force: true });
    return content;
  }

  /** @param path of the buffer's file; absolute @throws Error when Kakoune does not tell */
  async readBuffer(path: string): Promise<BufferText> {
    this.#asked += 1;
    const [text, stamp, whole] = [`text.${this.#asked}`, `timestamp.${this.#asked}`, `whole.${this.#asked}`];
    // The last file tells that the others are whole.
    const write = [
      `write ${this.#quotePath(text)}`,
      this.writes(stamp, "%val{timestamp}"),
      this.writes(whole),
    ].join("; ");
    await this.ask([whole], inBuffer(path), `evaluate-commands -no-hooks ${quote(write)}`);
    return { text: this.take(text) ?? "", timestamp: this.take(stamp)?.trim() ?? "" };
  }

  /**
   * Shows the user a file.
   * @param client in which the user has looked at something last; the option `jumpclient` has precedence
   * @throws Error when the user is in the middle of something, or Kakoune cannot open the file
   */
  async openFile({ path, line, character = 1 }: OpenFileParams, client: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const [shown, busy, failed] = [`shown.${asked}`, `busy.${asked}`, `failed.${asked}`];
    const position = line === undefined ? [] : [line, await columnAt(path, line, character)];
    const command = ["ide-companion-show", asked, quote(client), quote(path), ...position].join(" ");
    const answer = await this.ask([shown, busy, failed], command);
    if (answer === busy) throw new Error("the user is in the middle of something");
    if (answer === failed) throw new Error("Kakoune cannot open it, or nobody is there");
  }

  /**
   * Kakoune's process. A session goes on in another one when the client quits that it has begun with, and others stay.
   * @throws Error when Kakoune does not answer
   */
  async findProcess(): Promise<number> {
    // The second file tells that the first is whole.
    const commands = [this.writes("process", "%sh{ echo $PPID }"), this.writes("process-written")];
    await this.ask(["process-written"], ...commands);
    return Number(this.take("process"));
  }

  close(): void {
    this.#watcher.close();
  }

  #quotePath(name: string): string {
    return quote(`${this.folder}/${name}`);
  }

  #receive(names: readonly string[]): Promise<string> {
    const { limit } = this.#options;
    return new Promise((resolve, reject) => {
      const forget = () => {
        clearTimeout(timer);
        for (const name of names) this.#expected.delete(name);
      };
      const timer = setTimeout(() => {
        forget();
        reject(new Error(`Kakoune has not written ${names.join(" or ")} within ${limit / 1000} s`));
      }, limit);
      for (const name of names) {
        this.#expected.set(name, () => {
          forget();
          resolve(name);
        });
      }
    });
  }
}

/** By `kak -p`: so Kakoune wants to be spoken to. */
async function sendCommands(session: string, commands: string): Promise<void> {
  const kak = spawn("kak", ["-p", session], { stdio: ["pipe", "ignore", "pipe"] });
  const complaint = text(kak.stderr);
  kak.stdin.on("error", () => {}); // it has ended before it has read: its exit code tells
  kak.stdin.end(commands);
  const [code] = await once(kak, "close");
  if (code !== 0) throw new Error(`Kakoune's session ${session} is not there: ${(await complaint).trim()}`);
}

/** A column as Kakoune counts: in bytes, from 1. That of the line's begin where the file cannot be read. */
async function columnAt(path: string, line: number, character: number): Promise<number> {
  if (character === 1) return 1;
  const text = await readFile(path, "utf8").catch(() => "");
  return Buffer.byteLength((text.split("\n", line)[line - 1] ?? "").slice(0, character - 1)) + 1;
}
