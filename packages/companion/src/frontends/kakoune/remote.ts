import { spawn } from "node:child_process";
import { once } from "node:events";
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
