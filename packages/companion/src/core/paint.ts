import { styleText } from "node:util";
import { safeText } from "../files/safe-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Every text that is printed goes through one of these: they make it safe, then give it its style. */
export type Paint = Readonly<Record<"plain" | Style, (text: string) => string>>;

export function createPaint(colour: boolean): Paint {
  const styled = (style: Style) => (text: string) =>
    // Whether to use colour is the caller's decision, whatever standard output is.
    colour ? styleText(style, safeText(text), { validateStream: false }) : safeText(text);
  return {
    plain: safeText,
    bold: styled("bold"),
    dim: styled("dim"),
    red: styled("red"),
    green: styled("green"),
    yellow: styled("yellow"),
    cyan: styled("cyan"),
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
