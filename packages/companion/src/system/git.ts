import { execFile } from "node:child_process";

/** Variables by which git means another repository than that of the folder it is asked in. */
const foreign =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE)$/;

/** Bytes of the longest answer: a list of all files of a large work tree is one. */
const maxOutput = 256 * 1024 * 1024;

export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads. */
  readonly input?: string;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** What git prints. @throws Error where there is none, or it fails */
export function runGit(
  folder: string,
  args: readonly string[],
  { env = {}, input = "", timeout = 5000 }: GitOptions = {},
): Promise<Buffer> {
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const options = {
    ...{ cwd: folder, timeout, windowsHide: true, maxBuffer: maxOutput },
    encoding: "buffer" as const,
    env: { ...Object.fromEntries(own), ...env },
  };
  return new Promise((resolve, reject) => {
    const { stdin } = execFile("git", [...args], options, (error, output) =>
      error ? reject(error) : resolve(output),
    );
    stdin?.on("error", () => {}); // it has ended without reading it
    stdin?.end(input);
  });
}

/**
 * What git prints. Only for questions about settings: it starts nothing then that a repository names.
 * @returns undefined where there is no git, or it has no answer
 */
export const askGit = (folder: string, args: readonly string[]): Promise<string | undefined> =>
  runGit(folder, args).then(String, () => undefined);
