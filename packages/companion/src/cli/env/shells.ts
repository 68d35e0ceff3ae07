/** How one family of shells reads variables. */
export interface Shell {
  /** What the user types to have the lines evaluated. */
  readonly call: string;
  /** @throws Error for a value that the shell has no way to write */
  assign(name: string, value: string): string;
  remove(name: string): string;
  comment(text: string): string;
}

const sh: Shell = {
  call: 'eval "$(ide-companion env)"',
  // A semicolon, so that the lines also survive an eval without quotation marks.
  assign: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}';`,
  remove: (name) => `unset ${name};`,
  comment: (text) => `# ${text}`,
};

const fish: Shell = {
  call: "ide-companion env | source",
  assign: (name, value) => `set -gx ${name} '${value.replaceAll(/[\\']/g, "\\$&")}';`,
  remove: (name) => `set -e ${name};`,
  comment: (text) => `# ${text}`,
};

const powershell: Shell = {
  call: "ide-companion env | Out-String | Invoke-Expression",
  // The typographic ones end a text there as well.
  assign: (name, value) => `$env:${name} = '${value.replaceAll(/['‘’‚‛]/g, "$&$&")}'`,
  remove: (name) => `Remove-Item -ErrorAction Ignore Env:${name}`,
  comment: (text) => `# ${text}`,
};

const cmd: Shell = {
  call: `for /f "delims=" %i in ('ide-companion env --shell cmd') do @%i`,
  assign(name, value) {
    // There is no way to quote these, and no path on Windows holds them.
    if (/["\r\n]/.test(value)) throw new Error(`${name} cannot be written for cmd: ${JSON.stringify(value)}`);
    return `set "${name}=${value}"`;
  },
  remove: (name) => `set "${name}="`,
  comment: (text) => `rem ${text}`,
};

/** By what `--shell` takes. */
export const shells: Readonly<Record<"sh" | "fish" | "powershell" | "cmd", Shell>> = {
  sh,
  fish,
  powershell,
  cmd,
};
