import fc from "fast-check";
import { anyCharacter } from "../harness/arbitraries.ts";

/** Indices: four CLIs, of which the last takes no edits, two editors (the companion of the second is a separate process), four files, of which the last is a fence. */
export type Action =
  | { readonly do: "open"; readonly cli: number; readonly file: number; readonly text: string }
  | { readonly do: "close"; readonly cli: number; readonly file: number; readonly suppress: boolean }
  | { readonly do: "acceptDiff" | "rejectDiff"; readonly cli: number; readonly file: number }
  /** `pick` counts the diffs that are shown, over and over. */
  /** Somebody else saves the file: the user in another window, a formatter, git. */
  | { readonly do: "save"; readonly file: number; readonly text: string; readonly adds: boolean }
  | { readonly do: "edit"; readonly editor: number; readonly pick: number; readonly text: string }
  | { readonly do: "accept" | "reject"; readonly editor: number; readonly pick: number }
  | {
      readonly do: "focus";
      readonly editor: number;
      readonly file: number;
      readonly line: number;
      readonly selected: string;
    }
  | { readonly do: "roots"; readonly editor: number; readonly folders: number }
  | { readonly do: "drop" | "stall" | "resume" | "leave" | "kill cli"; readonly cli: number }
  | { readonly do: "connect"; readonly cli: number; readonly editor: number }
  | { readonly do: "restart" | "kill companion" | "kill editor"; readonly editor: number };

/** Actions that start together, or some milliseconds after each other. */
export type Burst = readonly (Action & { readonly late: number })[];

export interface Sequence {
  /** The editor that each CLI is connected to at first. */
  readonly editors: readonly number[];
  readonly bursts: readonly Burst[];
}

/** Files that are proposed; the last one is for the end of a sequence. */
export const fileCount = 4;
export const fence = fileCount - 1;

const bytes = fc.string({ unit: anyCharacter, maxLength: 30 });
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("", "one\n", "one\r\ntwo\r\n", "no newline", "\uFEFFmarked\n", "a\r\nb\nc\r"),
  },
  { weight: 4, arbitrary: bytes },
  { weight: 1, arbitrary: bytes.map((start) => start + "0123456789abcdef\n".repeat(12_000)) },
);
const cli = fc.nat({ max: 3 });
const editor = fc.nat({ max: 1 });
const file = fc.nat({ max: fence - 1 });
const pick = fc.nat({ max: 3 });
const action = <Kind extends Action["do"]>(...kinds: Kind[]) => fc.constantFrom(...kinds);

/**
 * @param kills how often a process is killed; 100 is as often as a diff is opened
 */
export function sequences(kills: number): fc.Arbitrary<Sequence> {
  const one: fc.Arbitrary<Action> = fc.oneof(
    { weight: 100, arbitrary: fc.record({ do: action("open"), cli, file, text }) },
    { weight: 40, arbitrary: fc.record({ do: action("close"), cli, file, suppress: fc.boolean() }) },
    { weight: 20, arbitrary: fc.record({ do: action("acceptDiff", "rejectDiff"), cli, file }) },
    { weight: 40, arbitrary: fc.record({ do: action("edit"), editor, pick, text }) },
    { weight: 60, arbitrary: fc.record({ do: action("accept", "reject"), editor, pick }) },
    { weight: 40, arbitrary: fc.record({ do: action("save"), file, text, adds: fc.boolean() }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: action("focus"),
        editor,
        file: fc.nat({ max: 1 }),
        line: fc.integer({ min: 1, max: 999 }),
        selected: fc.oneof(fc.constant(""), bytes),
      }),
    },
    { weight: 8, arbitrary: fc.record({ do: action("roots"), editor, folders: fc.nat({ max: 2 }) }) },
    { weight: 60, arbitrary: fc.record({ do: action("drop", "stall", "stall", "resume"), cli }) },
    { weight: 10, arbitrary: fc.record({ do: action("leave"), cli }) },
    { weight: 20, arbitrary: fc.record({ do: action("connect"), cli, editor }) },
    { weight: 5, arbitrary: fc.record({ do: action("kill cli"), cli: fc.constantFrom(0, 1, 3) }) },
    { weight: 2, arbitrary: fc.record({ do: action("restart"), editor: fc.constant(0) }) },
    { weight: kills, arbitrary: fc.record({ do: action("kill cli"), cli: fc.constant(2) }) },
    {
      weight: 2 * kills,
      arbitrary: fc.record({
        do: action("restart", "kill companion", "kill editor"),
        editor: fc.constant(1),
      }),
    },
  );
  const late = fc.constantFrom(0, 0, 0, 1, 2, 4);
  const timed = fc.tuple(one, late).map(([each, milliseconds]) => ({ ...each, late: milliseconds }));
  return fc.record({
    editors: fc.tuple(editor, editor, editor, editor),
    bursts: fc.array(fc.array(timed, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 14 }),
  });
}

/**
 * The unambiguous part of a burst: each CLI and each editor connects, leaves or ends once, and no CLI connects to an editor
 * that ends at the same time, opens other folders in it, or focuses another file.
 */
export function unambiguous(burst: Burst): Burst {
  // Whether it comes before or after a decision of the same burst would be random.
  const [save] = burst.filter((each) => each.do === "save");
  if (save) return [save];
  const ended = new Set<number>();
  for (const each of burst) if (endings.has(each.do) && "editor" in each) ended.add(each.editor);
  const moved = new Set<string>();
  return burst.filter((each) => {
    // Which of the two companions receives it would be random.
    if (meetings.has(each.do) && "editor" in each && ended.has(each.editor)) return false;
    const mover = moverOf(each);
    if (mover === undefined) return true;
    if (moved.has(mover)) return false;
    moved.add(mover);
    return true;
  });
}

const endings = new Set<Action["do"]>(["restart", "kill companion", "kill editor"]);
const meetings = new Set<Action["do"]>(["connect", "roots", "focus"]);
const moves = new Set<Action["do"]>(["drop", "stall", "resume", "leave", "kill cli", "connect"]);

function moverOf(each: Action): string | undefined {
  if (endings.has(each.do) && "editor" in each) return `editor ${each.editor}`;
  return moves.has(each.do) && "cli" in each ? `cli ${each.cli}` : undefined;
}

/** A line for each burst. */
export function describe({ editors, bursts }: Sequence): string {
  const start = `CLIs ${[...editors.keys()].join(", ")} connect to editors ${editors.join(", ")}`;
  return [start, ...bursts.map((burst) => burst.map(toText).join(" | "))].join("\n");
}

function toText({ do: what, late, ...rest }: Burst[number]): string {
  const times = late === 0 ? {} : { late };
  const details = Object.entries({ ...rest, ...times }).map(
    ([name, value]) => `${name} ${shorten(JSON.stringify(value))}`,
  );
  return [what, ...details].join(" ");
}

const shorten = (value: string) => (value.length > 60 ? `${value.slice(0, 50)}… (${value.length})` : value);
