import os from "node:os";
import path from "node:path";

/** Where a machine keeps what agents read; an argument, so that tests have a private one. */
export interface Host {
  /** `os.tmpdir()` */
  readonly tmp: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `path.delimiter` of the system. */
  readonly delimiter: string;
}

/** This machine as it is now. */
export function systemHost(): Host {
  return { tmp: os.tmpdir(), home: os.homedir(), env: process.env, delimiter: path.delimiter };
}
