import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { whyUnknown } from "../target/process.ts";
import { isJson, type Json } from "../wire/json-rpc.ts";

/** What a check needs beyond an address and a token. */
export type Need = "editor-command" | "command" | "files";

/**
 * Which checks a check may run together with. Those of `wire` run concurrently, and so do those of `proposals`, which
 * open diffs and need no user. The others run one at a time: those of `editor` because each needs the user for itself,
 * those of `parallel` because they examine the same two companions, and those of `process` because each starts more
 * companions.
 */
export type Lane = "wire" | "editor" | "proposals" | "parallel" | "process";

/** What is known of a check before it runs. */
export interface CheckHead {
  /** Words with hyphens. */
  readonly id: string;
  /** A sentence that holds for a good companion. */
  readonly title: string;
  readonly requirements: readonly string[];
  readonly lane: Lane;
  readonly needs?: readonly Need[];
  /** A companion that breaks the rule may answer nothing after it: it runs after the others that share the companion. */
  readonly mayHang?: true;
}

/**
 * One property that can be observed from outside, and the rules that it proves.
 * @typeParam Means what the checks of its contract may use
 */
export interface CheckOf<Means> extends CheckHead {
  /**
   * @throws Broken when a rule is broken
   * @throws NotRun when the check turns out to be impossible
   */
  run(bench: Means): Promise<void>;
}

/** A check for which a user has to do something. */
export const byUser = { lane: "editor", needs: ["editor-command"] } as const;

/** A check that examines two more companions, which run at the same time. */
export const byParallel = { lane: "parallel", needs: ["command"] } as const;

/** A check that starts more companions. */
export const byStart = { lane: "process", needs: ["command"] } as const;

/** A rule is broken; the message says what was expected and what came instead. */
export class Broken extends Error {
  override readonly name: string = "Broken";
}

/** A CLI that the check needs cannot connect, whatever else it would examine. */
export class Unconnected extends Broken {
  /** @throws Unconnected when connecting fails */
  static async unless<T>(connecting: Promise<T>): Promise<T> {
    return connecting.catch((error: unknown) => {
      throw new Unconnected(error instanceof Error ? error.message : String(error));
    });
  }
}

/** A check could not run; the message says what is missing. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

/** @throws Broken with this message when the condition does not hold. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Broken(message);
}

/** @throws Broken with all of them when there is one. */
export function demandNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Broken(problems.join("; "));
}

/** A problem, unless it is so. */
export const unless = (isSo: boolean, problem: string): readonly string[] => (isSo ? [] : [problem]);

/** A value in a message. */
export const quote = (value: unknown): string => JSON.stringify(value);

/** The result in an answer. @throws Broken for an error */
export function resultOf(answer: Json, what: string): Json {
  if (isJson(answer.result)) return answer.result;
  throw new Broken(`${what} was answered ${JSON.stringify(answer.error ?? answer).slice(0, 300)}`);
}

/** The texts of a tool's answer. @throws Broken for an error */
export function textsOf(answer: Json, what: string): readonly string[] {
  const { content, isError } = resultOf(answer, what);
  const items: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = items.map((item) => (isJson(item) && item.type === "text" ? String(item.text) : ""));
  demand(isError !== true, `${what} was answered with isError: ${texts.join(" ")}`);
  return texts;
}

/** Whether a tool's answer says that it could not be called. */
export const isRefusal = ({ error, result }: Json): boolean =>
  isJson(error) || (isJson(result) && result.isError === true);

/** The permission bits of a file or folder. @throws NotRun where files have no modes */
export async function modeOf(path: string): Promise<number> {
  if (process.platform === "win32") throw new NotRun("there are no such modes on Windows");
  return (await stat(path)).mode & 0o777;
}

/** What is wrong with files and folders that are for their user alone. @throws NotRun where files have no modes */
export async function problemsOfPrivacy(paths: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const path of paths) {
    const [mode, stats] = [await modeOf(path), await stat(path)];
    const wanted = stats.isDirectory() ? 700 : 600;
    if ((mode & 0o077) !== 0) problems.push(`${path} has mode ${mode.toString(8)}, not ${wanted}`);
    if (stats.uid !== userInfo().uid) problems.push(`${path} belongs to user ${stats.uid}`);
  }
  return problems;
}

/** @throws NotRun on a system where a companion that did not end proves nothing */
export function needAnswer(inTime: boolean): void {
  const reason = inTime ? undefined : whyUnknown(process.platform);
  if (reason !== undefined) throw new NotRun(reason);
}

/** What is wrong with a companion that had to be killed: what it closes then proves nothing. @throws NotRun likewise */
export function endFaults(inTime: boolean, limits: { readonly process: number }): readonly string[] {
  needAnswer(inTime);
  return inTime ? [] : [`it did not end within ${limits.process / 1000} s after SIGTERM`];
}
