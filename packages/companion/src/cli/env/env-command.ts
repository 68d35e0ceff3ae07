import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { discoveryClients } from "../../agents/agents.ts";
import { type Host, isInContainer } from "../../system/host.ts";
import { quoteForShell } from "../../system/shell-word.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { toAgentEnv } from "../run/agent-env.ts";
import { findServing } from "../serving.ts";

/** Prints the variables that bind this terminal's CLIs to the companion of this folder, for its shell. */
export async function runEnv(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder, out } = invocation;
  if (given.has("json") && (given.has("unset") || given.has("shell"))) {
    throw new UsageError("--json is for programs: it goes neither with --shell nor with --unset");
  }
  const names = given.all("agent");
  // Our own commands as well: by their variable alone they find a companion of agents that have none.
  const agents = discoveryClients.filter(({ name }) => names.length === 0 || names.includes(name));
  const shell = await chooseShell(invocation);
  if (given.has("unset")) {
    // Exceptions to a proxy stay: they are the user's as well.
    for (const { variables } of agents)
      for (const name of Object.values(variables)) out.line(shell.remove(name));
    return exitCodes.ok;
  }
  const serving = await findServing(invocation, { agents, folders: [folder] });
  if (!serving) return exitCodes.failure;
  const found = agents.map((agent) => serving.findings.find((finding) => finding.agent === agent));
  const inContainer = isInContainer();
  const env: Record<string, string> = Object.assign(
    {},
    ...found.map((finding) => finding && toAgentEnv(finding, host, inContainer)),
  );
  // Not painted, like all that is printed here: a shell or a program reads it.
  if (given.has("json")) out.line(JSON.stringify(env, null, 2));
  else printLines(env, shell, out);
  return exitCodes.ok;
}

async function chooseShell({ arguments: given, host }: Invocation): Promise<Shell> {
  const [named] = given.all("shell");
  const known = Object.entries(shells).find(([name]) => name === named);
  return known?.[1] ?? guessShell(process.platform, host.env, await parentName());
}

function printLines(env: Readonly<Record<string, string>>, shell: Shell, out: Invocation["out"]): void {
  // All or nothing: one that cannot be written must not leave a terminal half bound.
  const lines = Object.entries(env).map(([name, value]) => shell.assign(name, value));
  for (const line of lines) out.line(line);
  if (out.isTerminal) out.line(shell.comment(`to use them: ${shell.call}`));
}

/** How one family of shells reads variables. */
export interface Shell {
  /** What the user types to have the lines evaluated. */
  readonly call: string;
  /** @throws Error for a value that the shell has no way to write */
  assign(name: string, value: string): string;
  remove(name: string): string;
  comment(text: string): string;
}

/** By what `--shell` takes. */
export const shells = {
  sh: {
    call: 'eval "$(ide-companion env)"',
    // A semicolon, so that the lines also survive an eval without quotation marks.
    assign: (name, value) => `export ${name}=${quoteForShell(value)};`,
    remove: (name) => `unset ${name};`,
    comment: (text) => `# ${text}`,
  },
  fish: {
    call: "ide-companion env | source",
    assign: (name, value) => `set -gx ${name} '${value.replaceAll(/[\\']/g, "\\$&")}';`,
    remove: (name) => `set -e ${name};`,
    comment: (text) => `# ${text}`,
  },
  powershell: {
    call: "ide-companion env | Out-String | Invoke-Expression",
    // The typographic ones end a text there as well.
    assign: (name, value) => `$env:${name} = '${value.replaceAll(/['‘’‚‛]/g, "$&$&")}'`,
    remove: (name) => `Remove-Item -ErrorAction Ignore Env:${name}`,
    comment: (text) => `# ${text}`,
  },
  cmd: {
    call: `for /f "delims=" %i in ('ide-companion env --shell cmd') do @%i`,
    assign(name, value) {
      // There is no way to quote these, and no path on Windows holds them.
      if (/["\r\n]/.test(value))
        throw new Error(`${name} cannot be written for cmd: ${JSON.stringify(value)}`);
      return `set "${name}=${value}"`;
    },
    remove: (name) => `set "${name}="`,
    comment: (text) => `rem ${text}`,
  },
} as const satisfies Record<string, Shell>;

/** What will read our lines: by the name of the process that has started us, or else by the user's usual shell. */
export function guessShell(platform: NodeJS.Platform, env: Host["env"], parent: string): Shell {
  const usual = env.SHELL?.split(/[\\/]/).at(-1) ?? "";
  const known = [parent, usual].map(findShell).find((shell) => shell !== undefined);
  if (known) return known;
  // Only cmd sets a prompt in the environment of its children.
  if (platform === "win32" && !env.SHELL) return env.PROMPT === undefined ? shells.powershell : shells.cmd;
  return shells.sh;
}

/** The name of the process that has started us; empty when it is not known. */
export async function parentName(platform = process.platform, pid = process.ppid): Promise<string> {
  try {
    if (platform === "win32") return "";
    if (platform === "linux") return (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
    const { stdout } = await promisify(execFile)("ps", ["-o", "comm=", "-p", String(pid)]);
    return stdout.trim().split("/").at(-1) ?? "";
  } catch {
    return ""; // the environment tells more
  }
}

function findShell(process: string): Shell | undefined {
  const name = process
    .replace(/^-/, "")
    .replace(/\.exe$/i, "")
    .toLowerCase();
  if (["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash"].includes(name)) return shells.sh;
  if (name === "fish") return shells.fish;
  return name === "pwsh" || name === "powershell" ? shells.powershell : undefined;
}
