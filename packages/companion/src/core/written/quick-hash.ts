/**
 * SHA-256 as 64 hexadecimal digits. It loads Node's library at the first call: a CLI waits for each hook, and not all
 * of them need it.
 */
export const quickHash = (bytes: Buffer): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");
