/** The variables of a terminal. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What in the variables speaks for an editor, for people; undefined when nothing does. */
type Sign = (env: Variables) => string | undefined;

/** One of the variables is set. The value is not shown: it may be a secret or mean nothing to anybody. */
export const isSet =
  (...variables: readonly string[]): Sign =>
  (env) => {
    const found = variables.find((variable) => env[variable]);
    return found === undefined ? undefined : `${found} is set`;
  };

/** A variable has exactly this value. */
export const equals =
  (variable: string, value: string): Sign =>
  (env) =>
    env[variable] === value ? `${variable}=${value}` : undefined;

/** The first of several signs that is there. */
export const either =
  (...signs: readonly Sign[]): Sign =>
  (env) =>
    signs.map((sign) => sign(env)).find((sign) => sign !== undefined);
