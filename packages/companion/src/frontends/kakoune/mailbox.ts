import { readFileSync, rmSync, watch } from "node:fs";
import path from "node:path";

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

export interface MailboxOptions {
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
