import type { Limits } from "../run/subject.ts";
import { isJson, type Json } from "../wire/json-rpc.ts";
import { demand } from "./check.ts";

/**
 * Asks about one file, then about all.
 * @throws Broken when an answer takes longer than the CLI waits
 */
export async function demandInTime(
  { answer }: Limits,
  uri: string,
  ask: (input: object) => Promise<unknown>,
): Promise<void> {
  const slow = Math.max(1, answer / 5000); // the patience that was asked for
  for (const [input, milliseconds] of [
    [{ uri }, 500],
    [{}, 2000],
  ] as const) {
    const limit = milliseconds * slow;
    const started = performance.now();
    await ask(input);
    const took = Math.round(performance.now() - started);
    demand(took <= limit, `for ${JSON.stringify(input)} the answer took ${took} ms, more than ${limit}`);
  }
}

/** Whether a diagnostic says where it is. */
export const hasRange = ({ range }: Json): boolean =>
  isJson(range) && isPosition(range.start) && isPosition(range.end);

const isPosition = (place: unknown) =>
  isJson(place) && Number.isInteger(place.line) && Number.isInteger(place.character);
