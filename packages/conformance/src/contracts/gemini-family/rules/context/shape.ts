import { existsSync } from "node:fs";
import path from "node:path";
import { isJson, type Json, type Notification } from "../../../../wire/json-rpc.ts";
import { Broken, byUser, demand, demandNone, NotRun, quote } from "../../../check.ts";
import { isBoolean, isNumber, isPlaceFrom, isText, optional, problemsOfFields } from "../../../fields.ts";
import type { HttpCli } from "../../../http-cli.ts";
import { observed, specification } from "../../../requirement.ts";
import { changed, listing } from "../../faults.ts";
import type { Bench, FamilyGroup } from "../means.ts";

const text = "one two\nthree four\n";

/** How the parameters of a context differ from an `IdeContext`. */
function problemsOf({ workspaceState }: Json): readonly string[] {
  if (workspaceState === undefined) return [];
  if (!isJson(workspaceState)) return [`workspaceState is ${quote(workspaceState)}`];
  const { openFiles } = workspaceState;
  return [
    ...problemsOfFields(workspaceState, {
      isTrusted: optional(isBoolean),
      openFiles: optional(Array.isArray),
    }),
    ...(Array.isArray(openFiles) ? openFiles.flatMap(problemsOfFile) : []),
  ];
}

function problemsOfFile(file: unknown): readonly string[] {
  if (!isJson(file)) return [`a file is ${quote(file)}`];
  return problemsOfFields(file, {
    path: isText,
    timestamp: isNumber,
    isActive: optional(isBoolean),
    cursor: optional(isPlaceFrom(1)),
    selectedText: optional(isText),
  });
}

export const method = "ide/contextUpdate";

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

export const contextsOf = (session: HttpCli): readonly Notification[] => session.of(method);

/**
 * Waits until the newest context passes a test.
 * @param what is expected, for the message
 * @param find returns undefined until the context holds it
 * @throws Broken when it does not come in time; NotRun when no context comes at all
 */
export async function untilReported<T>(
  session: HttpCli,
  what: string,
  find: (files: readonly ContextFile[]) => T | undefined,
): Promise<T> {
  const within = session.limits.event;
  const newest = () => contextsOf(session).at(-1);
  const found = await session.stream.find(() => {
    const context = newest();
    return context && find(filesOf(context));
  }, within);
  if (found !== undefined) return found;
  const last = newest();
  if (!last) throw new NotRun(`no ${method} came within ${within / 1000} s: its content cannot be checked`);
  throw new Broken(
    `${what} was not reported within ${within / 1000} s; the last context was ${quote(last.params)}`,
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
  { editor }: Pick<Bench, "editor">,
  session: HttpCli,
  file: string,
): Promise<ContextFile> {
  await editor.open(file, 1, 1);
  return untilReported(session, `the focus on ${file}`, focused(file));
}

export const shapeRules: FamilyGroup = {
  C1: {
    MUST: "The parameters of `ide/contextUpdate` are an `IdeContext`: `workspaceState` with `openFiles` and `isTrusted`; a file with `path`, `timestamp`, `isActive`, `cursor` and `selectedText`.",
    sources: specification("II", "The parameters MUST be an `IdeContext`."),
    check: "context-shape",
    lane: "editor",
    async run({ connect, editor, hasEditor, write, limits }) {
      const session = await connect();
      if (hasEditor) {
        const file = await write("shape.txt", text);
        await editor.select(file, { line: 1, column: 1 }, { line: 1, column: 4 });
        await untilReported(session, `the focus on ${file}`, focused(file));
      } else await session.stream.find(() => contextsOf(session)[0], limits.event);
      const contexts = contextsOf(session);
      if (contexts.length === 0) throw new NotRun("no ide/contextUpdate came");
      demandNone([...new Set(contexts.flatMap(({ params }) => problemsOf(params)))]);
    },
    fault: {
      down: changed(() => ({ timestamp: new Date().toISOString() })),
      says: /timestamp is "20/,
    },
  },
  C2: {
    SHOULD: "The current context is sent as soon as a session's stream opens.",
    sources: observed("`gemini -p` does not wait: what comes late never reaches the model."),
    check: "context-at-once",
    async run({ connect, agents, limits }) {
      for (const agent of agents) {
        const session = await connect({ agent });
        const { stream } = session;
        const first = await stream.find(
          ({ events }) => events.find(({ notification }) => notification?.method === "ide/contextUpdate"),
          limits.event,
        );
        demand(first !== undefined, `${session} got no ide/contextUpdate within ${limits.event / 1000} s`);
      }
    },
    fault: { down: listing(() => undefined), says: /Gemini CLI got no ide\/contextUpdate/ },
  },
  C9: {
    MUST: "Paths are absolute and name files that exist on disk; virtual files are left out.",
    sources: specification("II", "Virtual files MUST be excluded."),
    check: "real-files",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const file = await write("real.txt", text);
      await editor.open(file, 1, 1);
      await untilReported(session, `a file ${path.basename(file)}`, (files) =>
        files.find((sent) => sent.path.endsWith("real.txt")),
      );
      const paths = new Set(
        contextsOf(session)
          .flatMap(filesOf)
          .map((sent) => sent.path),
      );
      demandNone(
        [...paths]
          .filter((sent) => !path.isAbsolute(sent) || !existsSync(sent))
          .map((sent) => `${quote(sent)} is not the absolute path of a file`),
      );
    },
    fault: {
      down: changed(({ path: file }) => ({ path: path.relative("/", String(file)) })),
      says: /is not the absolute path of a file/,
    },
    more: [
      {
        check: "virtual-files",
        title: "a file that is not on disk is left out",
        ...byUser,
        async run({ connect, editor, write, path: pathOf, limits }) {
          const session = await connect();
          await editor.open(pathOf("not-on-disk.txt"), 1, 1);
          const file = await write("on-disk.txt", text);
          await opened({ editor }, session, file);
          await session.stream.listen(limits.quiet);
          const isSent = contextsOf(session)
            .flatMap(filesOf)
            .some((each) => each.path === pathOf("not-on-disk.txt"));
          demand(!isSent, `${pathOf("not-on-disk.txt")} was sent, though it is not on disk`);
        },
        fault: {
          down: listing((files) => {
            const folder = path.dirname(String(files[0]?.path));
            return [...files, { path: path.join(folder, "not-on-disk.txt"), timestamp: 1 }];
          }),
          says: /not-on-disk\.txt was sent/,
        },
      },
    ],
  },
};
