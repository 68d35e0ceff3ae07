import { createHash } from "node:crypto";

/** SHA-256 of bytes, or of a text in UTF-8, as 64 hexadecimal digits. */
export const hashOf = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
