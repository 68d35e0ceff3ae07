import { UsageError } from "../invocation.ts";

/**
 * What a user means by the beginning of an id.
 * @param start undefined means the only one there is
 * @param what as in `recovered edits`
 * @throws UsageError when it means none, or more than one
 */
export function chooseRecord<T extends { readonly id: string }>(
  all: readonly T[],
  start: string | undefined,
  { what, command }: { readonly what: string; readonly command: string },
): T {
  const fitting = start === undefined ? all : all.filter(({ id }) => id.startsWith(start));
  const [only, other] = fitting;
  if (only && other === undefined) return only;
  if (all.length === 0) throw new UsageError(`there are no ${what}`);
  if (start === undefined) throw new UsageError(`there are ${all.length} ${what}: name one by its id`);
  throw new UsageError(
    only === undefined
      ? `there are no ${what} ${start}. "${command}" lists those that there are`
      : `${start} is the beginning of ${fitting.length} ids: ${fitting.map(({ id }) => id).join(", ")}`,
  );
}
