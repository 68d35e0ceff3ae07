/** What somebody types to find a file, and perhaps a line in it. */
export interface FileQuery {
  readonly name: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly character?: number;
}

/** Takes `edit.ts:40:7`, as compilers and searches print it, apart; half typed ones, too. */
export function parseFileQuery(text: string): FileQuery {
  const [, name = text, line, character] = /^(.+?):(\d*)(?::(\d*))?:?$/.exec(text.trim()) ?? [];
  const place = Number(line ?? 0);
  if (!Number.isSafeInteger(place) || place < 1) return { name };
  const column = Number(character ?? 0);
  const isColumn = Number.isSafeInteger(column) && column > 0;
  return { name, line: place, ...(isColumn ? { character: column } : {}) };
}
