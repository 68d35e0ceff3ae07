import { type Exchange, startExchange, type Target } from "./exchange.ts";
import { Bindings, type Values } from "./placeholders.ts";
import { Entry, type Heard, isState, type Recording, type UserAction } from "./recording.ts";

export interface PlayOptions extends Target {
  /** What the recording's placeholders stand for here. */
  readonly values: Values;
  /** Performs what the user does in the editor. */
  readonly perform: (action: UserAction) => Promise<void> | void;
  /** Writes a file, as the user or the CLI did. */
  readonly write?: (path: string, text: string) => Promise<void> | void;
  /** Milliseconds that the companion has for each message. */
  readonly within?: number;
}

/**
 * Plays the CLI's half of a recording to a companion, and compares what the companion sends: every recorded message
 * must come, in its order within an exchange, and no other one.
 * @throws Error at the first difference; it names the recording's line
 */
export async function play({ header, entries }: Recording, options: PlayOptions): Promise<void> {
  const bindings = new Bindings({ pid: process.pid, port: options.port, ...options.values });
  const exchanges = new Map<number, Exchange>();
  const name = `${header.agent} ${header.version}, ${header.scenario}`;
  try {
    for (const [index, entry] of entries.entries()) {
      try {
        await playEntry(entry);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`${name}, line ${index + 2}: ${reason}`, { cause });
      }
    }
    for (const exchange of exchanges.values()) {
      const surplus = exchange.heard.filter((heard) => !isState(heard, header.states));
      if (surplus.length > 0) throw new Error(`${name}: the companion also sends ${JSON.stringify(surplus)}`);
    }
  } finally {
    for (const exchange of exchanges.values()) exchange.close();
  }

  async function playEntry(entry: Entry): Promise<void> {
    if ("on" in entry && !("request" in entry)) {
      const exchange = exchanges.get(entry.on);
      if (!exchange) throw new Error(`exchange ${entry.on} has no request`);
      if (!("from" in entry) || entry.from === "companion") {
        await expect(exchange, toHeard(entry));
      } else if ("frame" in entry) exchange.send(JSON.stringify(bindings.fill(entry.frame)));
      else exchange.close(entry.close.code);
      return;
    }
    const filled = Entry.parse(bindings.fill(entry));
    if ("user" in filled) await options.perform(filled.user);
    else if ("file" in filled) await options.write?.(filled.file.path, filled.file.text);
    else if ("request" in filled) exchanges.set(filled.on, startExchange(options, filled.request));
  }

  async function expect(exchange: Exchange, wanted: Heard): Promise<void> {
    for (;;) {
      const heard = await exchange.next(options.within ?? 10_000).catch((cause: Error) => {
        throw new Error(`${cause.message}, instead of ${JSON.stringify(wanted)}`, { cause });
      });
      if (bindings.matches(wanted, heard)) return;
      if (!isState(heard, header.states)) {
        throw new Error(`the companion sends ${JSON.stringify(heard)} instead of ${JSON.stringify(wanted)}`);
      }
    }
  }
}

/** What stands in an entry of the companion, without where. */
function toHeard(entry: Entry): Heard {
  if ("response" in entry) return { response: entry.response };
  if ("event" in entry) return { event: entry.event };
  if ("frame" in entry) return { frame: entry.frame };
  if ("close" in entry) return { close: entry.close };
  throw new Error("not a message of the companion");
}
