import { readdir, readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentName } from "../requirements/index.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";

/** Where a companion and its CLIs meet. */
export interface SystemFolders {
  /** The temporary folder, as Node's `os.tmpdir()` has it. */
  readonly tmp: string;
  /** Qwen Code's own folder. */
  readonly qwenHome: string;
}

export function readSystemFolders(env: NodeJS.ProcessEnv): SystemFolders {
  return { tmp: tmpdir(), qwenHome: env.QWEN_HOME ?? join(homedir(), ".qwen") };
}

export type FileKind = "gemini" | "gemini-legacy" | "qwen" | "qwen-lock" | "qwen-legacy";

/** The kinds that both specifications, and Qwen Code itself, ask for. */
export const currentKinds = ["gemini", "qwen", "qwen-lock"] as const satisfies readonly FileKind[];

/** One kind of file: where it lies, and what its name tells. */
interface Shape {
  readonly kind: FileKind;
  readonly agent: AgentName;
  readonly folder: (systemFolders: SystemFolders) => string;
  /** Groups: `pid`, `port`. */
  readonly name: RegExp;
}

const shapes: readonly Shape[] = [
  {
    kind: "gemini",
    agent: "gemini",
    folder: ({ tmp }) => join(tmp, "gemini", "ide"),
    name: /^gemini-ide-server-(?<pid>\d+)-(?<port>\d+)\.json$/,
  },
  {
    kind: "gemini-legacy",
    agent: "gemini",
    folder: ({ tmp }) => join(tmp, "gemini", "ide"),
    name: /^gemini-ide-server-(?<pid>\d+)\.json$/,
  },
  {
    kind: "qwen",
    agent: "qwen",
    folder: ({ tmp }) => join(tmp, "qwen", "ide"),
    name: /^qwen-code-ide-server-(?<pid>\d+)-(?<port>\d+)\.json$/,
  },
  {
    kind: "qwen-lock",
    agent: "qwen",
    folder: ({ qwenHome }) => join(qwenHome, "ide"),
    name: /^(?<port>\d+)\.lock$/,
  },
  {
    // The number is a process id in some versions and a port in others.
    kind: "qwen-legacy",
    agent: "qwen",
    folder: ({ tmp }) => tmp,
    name: /^qwen-code-ide-server-\d+\.json$/,
  },
];

/** One discovery file, as it is; nothing about it is taken for granted but its name. */
export interface DiscoveryFile {
  readonly kind: FileKind;
  readonly agent: AgentName;
  readonly path: string;
  /** From the name, where it tells them. */
  readonly pid: number | undefined;
  readonly port: number | undefined;
  /** Undefined when it is no JSON object. */
  readonly content: Json | undefined;
}

/** The folder in which files of a kind lie. */
export function folderOf(kind: FileKind, systemFolders: SystemFolders): string {
  const shape = shapes.find((known) => known.kind === kind);
  if (!shape) throw new Error(`there is no kind of discovery file ${kind}`);
  return shape.folder(systemFolders);
}

/** What a name says of a file in a folder; undefined for all other files. */
export function recognise(folder: string, name: string, systemFolders: SystemFolders) {
  for (const { kind, agent, folder: of, name: pattern } of shapes) {
    const groups = of(systemFolders) === folder ? pattern.exec(name)?.groups : undefined;
    const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
    if (groups)
      return { kind, agent, path: join(folder, name), pid: number(groups.pid), port: number(groups.port) };
  }
  return undefined;
}

/** Every discovery file there is. */
export async function readDiscoveryFiles(systemFolders: SystemFolders): Promise<DiscoveryFile[]> {
  const files: DiscoveryFile[] = [];
  for (const folder of new Set(shapes.map((shape) => shape.folder(systemFolders)))) {
    for (const name of await namesIn(folder)) {
      const known = recognise(folder, name, systemFolders);
      const text = known && (await textOf(known.path));
      if (known === undefined || text === undefined) continue;
      const content = parseJson(text);
      files.push({ ...known, content: isJson(content) ? content : undefined });
    }
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // no such folder, or none of ours: no files for us either way
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined; // gone meanwhile, or not readable for us
  }
}
