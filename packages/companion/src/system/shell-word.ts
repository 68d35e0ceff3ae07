/** Writes an argument so that it can be pasted into a shell. */
export function toShellWord(argument: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(argument)) return argument;
  if (platform === "win32") return `"${argument}"`; // a path there holds no quotation mark
  return quoteForShell(argument);
}

/** A text as one word of any shell that is like Bourne's. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
