import path from "node:path";
import { toRealPath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import type { Edit } from "./edits/edit.ts";
import type { UserFolders } from "./user-folders.ts";

/** What a plan may know of the machine. */
export interface Machine {
  readonly host: Host;
  readonly platform: NodeJS.Platform;
  readonly userFolders: UserFolders;
  /** The folder with the plugins that this program brings, one folder an editor. */
  readonly plugins: string;
  /** The commands of the agents' CLIs, for people: `gemini, qwen, or claude`. */
  readonly agentCommands: string;
  /** Agents' hooks are wanted as well. */
  readonly hooks?: boolean;
  /** Absolute path of a program; undefined when it is neither in the PATH nor where its makers put it. */
  find(program: string): string | undefined;
  /** Runs a program to its end. @returns what it printed @throws Error with its last words */
  run(program: string, args: readonly string[]): Promise<string>;
}

/** One thing that must be so when an editor is set up. */
export type Part =
  /** A folder of ours alone, a copy of one that this program brings. */
  | { readonly kind: "folder"; readonly path: string; readonly from: string }
  /** A piece of a file of the user's. */
  | { readonly kind: "file"; readonly path: string; readonly edit: Edit }
  /** An extension that the editor's own program takes. */
  | ExtensionPart;

export interface ExtensionPart {
  readonly kind: "extension";
  /** Absolute path of the program. */
  readonly program: string;
  /** As in `publisher.name`. */
  readonly id: string;
  readonly version: string;
  /** The package to be installed. */
  readonly file: string;
}

/** All that makes an editor, or an agent's CLI, ready. */
export interface Plan {
  readonly parts: readonly Part[];
  /** What to do then, and what to know: sentences for people. */
  readonly next: readonly string[];
}

/** @throws InstallError when it cannot be set up here */
export type MakePlan = (machine: Machine) => Plan | Promise<Plan>;

/** Something cannot be set up; the message says what and why. Nothing has been changed. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

/** What every editor's user does next. */
export const firstSteps = (editor: string, { agentCommands }: Machine): readonly string[] => [
  `Start ${editor} with a file, and ${agentCommands} in the same project: ide-companion status then says connected.`,
];

/**
 * Editors start this program by its name.
 * @throws InstallError when they would not find it
 */
export function requireCommand({ find }: Pick<Machine, "find">): void {
  if (find("ide-companion")) return;
  throw new InstallError(
    "there is no ide-companion in your PATH, and editors start it by this name: npm install --global ide-companion",
  );
}

/**
 * The words by which an editor with windows starts the language server. On macOS, one that was opened from the Dock has not
 * the PATH of the user's shell: there both Node and this program are named by absolute paths.
 * @throws InstallError when editors would not find it
 */
export function toServerCommand({
  find,
  platform,
  host,
}: Pick<Machine, "find" | "platform" | "host">): readonly string[] {
  requireCommand({ find });
  const file = find("ide-companion");
  const node = find("node");
  if (platform !== "darwin" || file === undefined || node === undefined) return ["ide-companion", "lsp"];
  // The file begins with `env node`; those that other package managers make are scripts that look for Node as well.
  if (/\.[cm]?js$/.test(toRealPath(file))) return [node, file, "lsp"];
  const PATH = [path.dirname(node), "/usr/bin", "/bin"].join(host.delimiter);
  return ["/usr/bin/env", `PATH=${PATH}`, file, "lsp"];
}
