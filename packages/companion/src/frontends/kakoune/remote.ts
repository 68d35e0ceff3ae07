import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, rmSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { readIfThere } from "../../system/disk.ts";
import type { OpenFileParams } from "../protocol/messages.ts";

/** Commands a Kakoune session, by `kak -p`: so Kakoune wants to be spoken to. */
export class Remote {
  #session: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: string) {
    this.#session = session;
  }

  /** Sends commands, which Kakoune does after those that were sent before. @throws Error when there is no such session. */
  do(...commands: readonly string[]): Promise<void> {
    const sent = this.#last.then(() => this.#send(commands.join("\n")));
    this.#last = sent.catch(() => {}); // reported to the sender
    return sent;
  }

  /** The session is called this from now on. */
  rename(session: string): void {
    this.#session = session;
  }

  async #send(commands: string): Promise<void> {
    const session = this.#session;
    const kak = spawn("kak", ["-p", session], { stdio: ["pipe", "ignore", "pipe"] });
    const complaint = text(kak.stderr);
    kak.stdin.on("error", () => {}); // it has ended before it has read: its exit code tells
    kak.stdin.end(commands);
    const [code] = await once(kak, "close");
    if (code !== 0) throw new Error(`Kakoune's session ${session} is not there: ${(await complaint).trim()}`);
  }
}

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

interface MailboxOptions {
  /** Absolute path; it exists. */
  readonly folder: string;
  /** A file of this name was written, perhaps not yet to its end: then it is reported again. */
  readonly onMail: (name: string) => void;
  readonly onError: (error: Error) => void;
}

/** A folder into which Kakoune writes what it has to say, one small file each. */
export class Mailbox {
  /** Absolute path. */
  readonly folder: string;
  readonly #expected = new Map<string, () => void>();
  readonly #watcher: FSWatcher;

  constructor({ folder, onMail, onError }: MailboxOptions) {
    this.folder = folder;
    this.#watcher = watch(folder, (_, name) => {
      if (name === null) return;
      const wanted = this.#expected.get(name);
      if (!wanted) return onMail(name);
      this.take(name);
      wanted();
    });
    this.#watcher.on("error", onError);
  }

  /** The text of a file. @returns undefined when there is none */
  read(name: string): string | undefined {
    return readIfThere(path.join(this.folder, name));
  }

  /** The same; the file is taken away. */
  take(name: string): string | undefined {
    const content = this.read(name);
    rmSync(path.join(this.folder, name), { force: true });
    return content;
  }

  /**
   * Waits for the first of some files and takes it away.
   * @param limit milliseconds
   * @returns its name
   * @throws Error when none comes in time
   */
  receive(names: readonly string[], limit: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const forget = () => {
        for (const name of names) this.#expected.delete(name);
      };
      const timer = setTimeout(() => {
        forget();
        reject(new Error(`Kakoune has not written ${names.join(" or ")} within ${limit / 1000} s`));
      }, limit);
      const onCame = (name: string) => () => {
        clearTimeout(timer);
        forget();
        resolve(name);
      };
      for (const name of names) this.#expected.set(name, onCame(name));
    });
  }

  close(): void {
    this.#watcher.close();
  }
}

/** How long Kakoune may take to show a file or to name its process, in milliseconds. */
const limit = 5000;

/**
 * Kakoune's process. A session goes on in another one when the client quits that it has begun with, and others stay.
 * @throws Error when Kakoune does not answer
 */
export async function askForProcess(mailbox: Mailbox, remote: Pick<Remote, "do">): Promise<number> {
  const write = (name: string) => `echo -to-file ${quote(`${mailbox.folder}/${name}`)}`;
  // The second file tells that the first is whole.
  const commands = [`${write("process")} %sh{ echo $PPID }`, write("process-written")];
  await Promise.all([mailbox.receive(["process-written"], limit), remote.do(...commands)]);
  return Number(mailbox.take("process"));
}

/** Shows files to the user of a Kakoune session, when an agent asks for it. */
export class Guide {
  readonly #mailbox: Mailbox;
  readonly #remote: Pick<Remote, "do">;
  #asked = 0;

  constructor(mailbox: Mailbox, remote: Pick<Remote, "do">) {
    this.#mailbox = mailbox;
    this.#remote = remote;
  }

  /**
   * @param client in which the user has looked at something last; the option `jumpclient` has precedence
   * @throws Error when the user is in the middle of something, or Kakoune cannot open the file
   */
  async open({ path, line, character = 1 }: OpenFileParams, client: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const [shown, busy, failed] = [`shown.${asked}`, `busy.${asked}`, `failed.${asked}`];
    const position = line === undefined ? [] : [line, await columnAt(path, line, character)];
    const command = ["ide-companion-show", asked, quote(client), quote(path), ...position].join(" ");
    const answered = this.#mailbox.receive([shown, busy, failed], limit);
    const [answer] = await Promise.all([answered, this.#remote.do(command)]);
    if (answer === busy) throw new Error("the user is in the middle of something");
    if (answer === failed) throw new Error("Kakoune cannot open it, or nobody is there");
  }
}

/** A column as Kakoune counts: in bytes, from 1. That of the line's begin where the file cannot be read. */
async function columnAt(path: string, line: number, character: number): Promise<number> {
  if (character === 1) return 1;
  const text = await readFile(path, "utf8").catch(() => "");
  return Buffer.byteLength((text.split("\n", line)[line - 1] ?? "").slice(0, character - 1)) + 1;
}
