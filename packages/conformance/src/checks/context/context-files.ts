import { Broken, NotRun } from "../../assertions.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import { isJson, type Json, type Notification } from "../../wire/json-rpc.ts";
import type { Bench } from "../check.ts";

const method = "ide/contextUpdate";

/** A file as a context lists it; only its path has been checked. */
export interface ContextFile extends Json {
  readonly path: string;
}

/** The files of a context, as they came. */
export function filesOf({ params }: Notification): readonly ContextFile[] {
  const state = isJson(params.workspaceState) ? params.workspaceState : {};
  const files: unknown[] = Array.isArray(state.openFiles) ? state.openFiles : [];
  return files.filter((file): file is ContextFile => isJson(file) && typeof file.path === "string");
}

export function contextsOf({ streams }: CliSession): readonly Notification[] {
  return streams.flatMap((stream) => stream.all(method));
}

/**
 * Waits until the newest context passes a test.
 * @param what is expected, for the message
 * @param find returns undefined until the context holds it
 * @throws Broken when it does not come in time; NotRun when no context comes at all
 */
export async function untilReported<T>(
  session: CliSession,
  what: string,
  find: (files: readonly ContextFile[]) => T | undefined,
  within: number,
): Promise<T> {
  const newest = () => contextsOf(session).at(-1);
  const found = await session.stream.find(() => {
    const context = newest();
    return context && find(filesOf(context));
  }, within);
  if (found !== undefined) return found;
  const last = newest();
  if (!last) throw new NotRun(`no ${method} came within ${within / 1000} s: its content cannot be checked`);
  throw new Broken(
    `${what} was not reported within ${within / 1000} s; the last context was ${JSON.stringify(last.params)}`,
  );
}

/** The file that has the focus, when it is this one. */
export const focused = (path: string) => (files: readonly ContextFile[]) =>
  files.find((file) => file.path === path && file.isActive === true);

/**
 * Opens a file and waits until a context reports its focus.
 * @returns the file as the context lists it
 * @throws Broken when none does
 */
export async function opened(
  { editor, limits }: Pick<Bench, "editor" | "limits">,
  session: CliSession,
  file: string,
): Promise<ContextFile> {
  await editor.open(file, 1, 1);
  return untilReported(session, `the focus on ${file}`, focused(file), limits.event);
}
