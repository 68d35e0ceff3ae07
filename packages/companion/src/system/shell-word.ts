/** Writes an argument so that it can be pasted into a shell. */
export function toShellWord(argument: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(argument)) return argument;
  if (platform === "win32") return `"${argument}"`; // a path there holds no quotation mark
  return `'${argument.replaceAll("'", "'\\''")}'`;
}
