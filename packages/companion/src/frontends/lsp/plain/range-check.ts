/** Why what an editor has sent as a range is none; undefined when it is one. The LSP library checks no parameters. */
export function whyNoRange(value: unknown): string | undefined {
  if (!isObject(value)) return `a range must have start and end, got ${JSON.stringify(value)}`;
  for (const place of ["start", "end"] as const) {
    const position = value[place];
    if (!isObject(position)) return `a range must have start and end, got ${JSON.stringify(value)}`;
    for (const name of ["line", "character"] as const) {
      const number = position[name];
      if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
        return `${place}.${name} must be a whole number from 0, got ${JSON.stringify(number)}`;
      }
    }
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
