import { Broken, NotRun } from "../../assertions.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import { isJson, type Json, type Notification } from "../../wire/json-rpc.ts";
import type { Bench } from "../check.ts";

const method = "ide/contextUpdate";

/** A file as a context has it; nothing about it is taken for granted but its path. */
export interface ToldFile extends Json {
  readonly path: string;
}

/** The files of a context, as they came. */
export function filesOf({ params }: Notification): readonly ToldFile[] {
  const state = isJson(params.workspaceState) ? params.workspaceState : {};
  const files: unknown[] = Array.isArray(state.openFiles) ? state.openFiles : [];
  return files.filter((file): file is ToldFile => isJson(file) && typeof file.path === "string");
}

export function contextsOf({ streams }: CliSession): readonly Notification[] {
  return streams.flatMap((stream) => stream.all(method));
}

/**
 * Waits until the newest context holds something.
 * @param what is looked for, for the message
 * @throws Broken when it does not come in time; NotRun when no context comes at all
 */
export async function untilTold<T>(
  session: CliSession,
  what: string,
  look: (files: readonly ToldFile[]) => T | undefined,
  within: number,
): Promise<T> {
  const newest = () => contextsOf(session).at(-1);
  const found = await session.stream.find(() => {
    const context = newest();
    return context && look(filesOf(context));
  }, within);
  if (found !== undefined) return found;
  const last = newest();
  if (!last)
    throw new NotRun(`no ${method} came within ${within / 1000} s: nothing can be said of its content`);
  throw new Broken(
    `${what} was not told within ${within / 1000} s; the last context was ${JSON.stringify(last.params)}`,
  );
}

/** The file that has the focus, when it is this one. */
export const focused = (path: string) => (files: readonly ToldFile[]) =>
  files.find((file) => file.path === path && file.isActive === true);

/**
 * Opens a file, and waits until its focus is told.
 * @returns the file as it was told
 * @throws Broken when it is not
 */
export async function opened(
  { editor, limits }: Pick<Bench, "editor" | "limits">,
  session: CliSession,
  file: string,
): Promise<ToldFile> {
  await editor.open(file, 1, 1);
  return untilTold(session, `the focus on ${file}`, focused(file), limits.event);
}
