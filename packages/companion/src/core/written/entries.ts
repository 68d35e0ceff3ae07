import { z } from "zod";
import { tryParseJson } from "../../system/json.ts";
import { readPrivateFile } from "../../system/private-file.ts";

/** Why the bytes of a file are not kept. */
const Withheld = z.enum(["secret", "large", "no-file", "no-room", "unknown", "unseen"]);
export type Withheld = z.infer<typeof Withheld>;

/** What a file held at one moment. */
export const Content = z.union([
  /** The hash of its bytes, null where there was no file; its mode, and when it was written, in milliseconds since 1970. */
  z.object({ text: z.string().nullable(), mode: z.int().optional(), written: z.number().optional() }),
  /** Bytes that are not kept, and what tells that they have changed. */
  z.object({ withheld: Withheld, stamp: z.string() }),
]);
export type Content = z.infer<typeof Content>;

/** What one turn has made of a file: the next layer begins with what this one ends with. */
const Layer = z.object({
  turn: z.string(),
  before: Content,
  after: Content,
  /** The agent has made the file or deleted it, and the user has written it since. */
  isTouched: z.boolean().optional(),
});
export type Layer = z.infer<typeof Layer>;

const ofAgent = {
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The agent's name, as typed. */
  agent: z.string(),
  /** The agent's name for one conversation with its user. */
  session: z.string(),
  /** The agent's name for one prompt and what follows; absent where it has none. */
  turn: z.string().optional(),
};

/** What tells a shell command from the others of its session, and its files. */
const ofCommand = { command: z.string(), folder: z.string() };

/** What a shell command has made of a file; without `before` where nobody knows. */
const CommandFile = z.object({ before: Content.optional(), after: Content });
export type CommandFile = z.infer<typeof CommandFile>;

/** What a file held when nobody has looked. */
export const unknown: Content = { withheld: "unknown", stamp: "" };

/** Said of a folder in which a command has run and nobody could compare. */
export const unseen: CommandFile = {
  before: { withheld: "unseen", stamp: "before" },
  after: { withheld: "unseen", stamp: "after" },
};

/** One moment in the work of an agent, or what its user has decided then. */
const LogEntry = z.discriminatedUnion("kind", [
  z.object({ ...ofAgent, kind: z.literal("turn-start"), title: z.string(), folder: z.string() }),
  z.object({ ...ofAgent, kind: z.enum(["before", "after"]), files: z.record(z.string(), Content) }),
  z.object({ ...ofAgent, kind: z.enum(["turn-end", "session-end"]) }),
  z.object({ ...ofAgent, ...ofCommand, kind: z.enum(["command-start", "command-end"]) }),
  /** What a command has made of files, found by comparison once it has ended. */
  z.object({
    ...ofAgent,
    kind: z.literal("command-files"),
    command: z.string(),
    startedAt: z.number(),
    files: z.record(z.string(), CommandFile),
  }),
  /** The agent has asked before it writes a file, and its user has accepted this text. */
  z.object({ kind: z.literal("accepted"), at: z.number(), path: z.string(), hash: z.string() }),
  /** The user has saved a file in an editor, while an agent's turn ran. */
  z.object({ kind: z.literal("saved"), at: z.number(), path: z.string(), content: Content }),
  /** What is left to be looked at in a file, in the place of all that was said of it before. */
  z.object({
    kind: z.literal("settled"),
    at: z.number(),
    path: z.string(),
    layers: z.array(Layer),
    /** The same in all files of one decision. */
    decision: z.string(),
    /** What it takes to undo the decision; absent where this has undone another one. */
    former: z.object({ layers: z.array(Layer), now: Content, after: Content }).optional(),
    /** The turns of which it has reverted something. */
    reverted: z.array(z.string()).optional(),
    undoes: z.string().optional(),
  }),
]);
export type LogEntry = z.infer<typeof LogEntry>;

export type Settled = LogEntry & { readonly kind: "settled" };

/** What the file holds after a decision. */
export const contentAfter = ({ former, layers }: Settled): Content | undefined =>
  former?.after ?? layers.at(-1)?.after;

/** Bytes of the longest day that is read. */
const maxBytes = 256 * 1024 * 1024;

/** The file of a day, as it is. */
export const textOfDay = (file: string): string => readPrivateFile(file, { maxBytes }) ?? "";

/** What such a file says; what was cut off by a crash is passed over. */
export function readDay(file: string): readonly LogEntry[] {
  return textOfDay(file)
    .split("\n")
    .flatMap((line) => {
      const entry = line === "" ? undefined : LogEntry.safeParse(tryParseJson(line));
      return entry?.success ? [entry.data] : [];
    });
}
