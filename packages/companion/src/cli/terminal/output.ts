import type { WriteStream } from "node:tty";
import type { Output } from "../invocation.ts";
import { createPaint, wantsColour } from "./paint.ts";

/** Makes an output of one of the process's streams. */
export function createOutput(
  stream: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY">>,
  env: Readonly<Record<string, string | undefined>>,
): Output {
  const isTerminal = stream.isTTY === true;
  return {
    paint: createPaint(wantsColour(env, isTerminal)),
    isTerminal,
    line: (text = "") => void stream.write(`${text}\n`),
  };
}
