import { safeText } from "../../files/safe-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Sequences that switch a style on and off again. */
const styles = {
  bold: ["\x1b[1m", "\x1b[22m"],
  dim: ["\x1b[2m", "\x1b[22m"],
  red: ["\x1b[31m", "\x1b[39m"],
  green: ["\x1b[32m", "\x1b[39m"],
  yellow: ["\x1b[33m", "\x1b[39m"],
  cyan: ["\x1b[36m", "\x1b[39m"],
} as const;

type Style = "plain" | keyof typeof styles;

/** Every text that is printed goes through one of these: they make it safe, then give it its style. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export function createPaint(colour: boolean): Paint {
  const styled =
    ([on, off]: readonly [string, string]) =>
    (text: string) =>
      colour ? `${on}${safeText(text)}${off}` : safeText(text);
  return {
    plain: safeText,
    bold: styled(styles.bold),
    dim: styled(styles.dim),
    red: styled(styles.red),
    green: styled(styles.green),
    yellow: styled(styles.yellow),
    cyan: styled(styles.cyan),
  };
}

/**
 * Whether to use colour: on a terminal that can, unless `NO_COLOR` is set; anywhere with `FORCE_COLOR`.
 * @see https://no-color.org
 */
export function wantsColour(env: Environment, isTerminal: boolean): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return isTerminal && env.TERM !== "dumb";
}
