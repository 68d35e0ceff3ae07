import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, watch } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";

/** Commands a Kakoune session. */
export interface Remote {
  /** Sends commands, which Kakoune does after those that were sent before. @throws Error when there is no such session. */
  do(...commands: readonly string[]): Promise<void>;
  /** The session is called this from now on. */
  rename(session: string): void;
}

/** By `kak -p`, which is how Kakoune wants to be spoken to. */
export function createRemote(session: string): Remote {
  let name = session;
  let last: Promise<unknown> = Promise.resolve();

  async function send(commands: string): Promise<void> {
    const kak = spawn("kak", ["-p", name], { stdio: ["pipe", "ignore", "pipe"] });
    const complaint = text(kak.stderr);
    kak.stdin.on("error", () => {}); // it has ended before it has read: its exit code tells
    kak.stdin.end(commands);
    const [code] = await once(kak, "close");
    if (code !== 0) throw new Error(`Kakoune's session ${name} is not there: ${(await complaint).trim()}`);
  }

  return {
    do(...commands) {
      const sent = last.then(() => send(commands.join("\n")));
      last = sent.catch(() => {}); // reported to the sender
      return sent;
    },
    rename(next) {
      name = next;
    },
  };
}

/** A word of Kakoune's command language that stands for this text, whatever it holds. Pure. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Reads the words that `echo -quoting kakoune` has written.
 * @returns undefined when the text breaks off within a word, as while it is being written
 */
export function parseWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const word = /'((?:[^']|'')*)'(?: |$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    words.push((found[1] ?? "").replaceAll("''", "'"));
  }
  return words;
}

/** A folder into which Kakoune writes what it has to say, one small file each. */
export interface Mailbox {
  /** The text of a file. @returns undefined when there is none */
  read(name: string): string | undefined;
  /** The same; the file is taken away. */
  take(name: string): string | undefined;
  /**
   * Waits for the first of some files and takes it away.
   * @param limit milliseconds
   * @returns its name
   * @throws Error when none comes in time
   */
  receive(names: readonly string[], limit: number): Promise<string>;
  close(): void;
}

interface MailboxOptions {
  /** Absolute path; it exists. */
  readonly folder: string;
  /** A file of this name was written, perhaps not yet to its end: then it is reported again. */
  readonly onMail: (name: string) => void;
  readonly onError: (error: Error) => void;
}

export function openMailbox({ folder, onMail, onError }: MailboxOptions): Mailbox {
  const expected = new Map<string, () => void>();
  const read = (name: string) => ifThere(() => readFileSync(path.join(folder, name), "utf8"));
  const take = (name: string) => {
    const text = read(name);
    rmSync(path.join(folder, name), { force: true });
    return text;
  };
  const watcher = watch(folder, (_, name) => {
    if (name === null) return;
    const wanted = expected.get(name);
    if (!wanted) return onMail(name);
    take(name);
    wanted();
  });
  watcher.on("error", onError);
  return {
    read,
    take,
    receive(names, limit) {
      return new Promise((resolve, reject) => {
        const forget = () => {
          for (const name of names) expected.delete(name);
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
        for (const name of names) expected.set(name, onCame(name));
      });
    },
    close: () => watcher.close(),
  };
}

function ifThere(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined; // taken already, or never there
  }
}
