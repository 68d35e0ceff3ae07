import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { eventually } from "../../../testkit/src/eventually.ts";
import type { Values } from "../../../testkit/src/recordings/placeholders.ts";
import { play } from "../../../testkit/src/recordings/player.ts";
import { readRecording, type UserAction } from "../../../testkit/src/recordings/recording.ts";
import type { EditorContext } from "../core/editor.ts";
import { type Core, startCore } from "./core.ts";
import type { MemoryEditor } from "./memory-editor.ts";

const recordings = join(import.meta.dirname, "../../../testkit/recordings");

/** Where the CLI of a recording connects, and its token. */
export interface PlayedEndpoint {
  readonly port: number;
  /** The path of a socket, for an agent that uses no port. */
  readonly socket?: string;
  readonly values: Values;
}

/** A test for each recording of an agent: the CLI's half is played to a companion, whose half has to be as recorded. */
export function testRecordings(agent: string, endpointOf: (core: Core) => PlayedEndpoint): void {
  for (const version of readdirSync(join(recordings, agent))) {
    describe(`${agent} ${version}, as recorded`, () => {
      const folder = join(recordings, agent, version);
      for (const name of readdirSync(folder)) {
        test(name.replace(".jsonl", "").replaceAll("-", " "), async () => {
          const core = await startCore();
          const { editor, host, root, events } = core;
          const { port, socket, values } = endpointOf(core);
          const contexts = () => events.filter(({ kind }) => kind === "context-sent").length;
          await play(readRecording(join(folder, name)), {
            port,
            ...(socket !== undefined && { socket }),
            values: { workspace: root, tmp: host.tmp, home: host.home, ...values },
            async perform(action) {
              // Calls that wait for the user are not answered once the diff is there.
              if ("path" in action) await eventually(() => editor.find(action.path));
              const before = contexts();
              performAction(editor, action);
              // Who asks does not wait for what the companion sends alone.
              if (socket !== undefined && !("path" in action))
                await eventually(() => expect(contexts()).toBeGreaterThan(before));
            },
            write(path, text) {
              mkdirSync(dirname(path), { recursive: true });
              writeFileSync(path, text);
            },
          });
          expect([...editor.diffs.keys()]).toEqual([]);
        });
      }
    });
  }
}

/** Does in an editor what the user of a recording did. @throws Error when there is no such diff */
export function performAction(editor: MemoryEditor, action: UserAction): void {
  if (action.action === "focus") {
    const context: EditorContext = Context.parse(action.context);
    editor.look(context);
  } else if (action.action === "edit") editor.edit(action.path, action.text);
  else if (action.action === "accept") editor.accept(action.path);
  else editor.reject(action.path);
}

const Position = z.strictObject({ line: z.int(), character: z.int() });

/** An `EditorContext`, as recordings have it. */
const Context = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      focusedAt: z.number(),
      cursor: Position.exactOptional(),
      selectedText: z.string().exactOptional(),
      selection: z.strictObject({ start: Position, end: Position }).exactOptional(),
    }),
  ),
  activePath: z.string().exactOptional(),
});
