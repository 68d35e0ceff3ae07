import { readFile } from "node:fs/promises";
import type { OpenFileParams } from "../lsp/messages.ts";
import { type Mailbox, quote, type Remote } from "./remote.ts";

/** How long Kakoune may take to show a file, in milliseconds. */
const limit = 5000;

export interface GuideOptions {
  readonly mailbox: Mailbox;
  readonly remote: Remote;
}

/** Shows files to the user of a Kakoune session, when an agent asks for it. */
export interface Guide {
  /**
   * @param client in which the user has looked at something last; the option `jumpclient` has precedence
   * @throws Error when the user is in the middle of something, or Kakoune cannot open the file
   */
  open(position: OpenFileParams, client: string): Promise<void>;
}

export function createGuide({ mailbox, remote }: GuideOptions): Guide {
  let asked = 0;
  return {
    async open({ path, line, character = 1 }, client) {
      asked += 1;
      const [shown, busy, failed] = [`shown.${asked}`, `busy.${asked}`, `failed.${asked}`];
      const position = line === undefined ? [] : [line, await stepsTo(path, line, character)];
      const command = ["ide-companion-show", asked, quote(client), quote(path), ...position].join(" ");
      const [answer] = await Promise.all([mailbox.receive([shown, busy, failed], limit), remote.do(command)]);
      if (answer === busy) throw new Error("the user is in the middle of something");
      if (answer === failed) throw new Error("Kakoune cannot open it, or nobody is there");
    },
  };
}

/** From a line's begin to a position in it. Where the file cannot be read, as many as it has units. */
async function stepsTo(path: string, line: number, character: number): Promise<number> {
  if (character === 1) return 0;
  const text = await readFile(path, "utf8").catch(() => "");
  return countSteps(text.split("\n", line)[line - 1] ?? "", character);
}

/**
 * Kakoune steps over code points.
 * @param character 1-based, in UTF-16 units; it may be in the middle of a code point
 */
export function countSteps(line: string, character: number): number {
  let [units, steps] = [1, 0];
  for (const point of line) {
    units += point.length;
    if (units > character) return steps;
    steps += 1;
  }
  return steps + character - units;
}
