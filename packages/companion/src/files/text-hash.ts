/**
 * SHA-256 of bytes, or of a text in UTF-8, as 64 hexadecimal digits. It loads Node's library at the first call: a CLI
 * waits for each hook, and not all of them need it.
 */
export const hashOf = (text: string | Buffer): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
