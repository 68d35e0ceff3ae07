import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { startCore } from "../../packages/companion/src/testing/core.ts";
import { performAction } from "../../packages/companion/src/testing/recordings.ts";
import type { Recorder } from "../../packages/testkit/src/recordings/recorder.ts";
import { formatRecording, type UserAction } from "../../packages/testkit/src/recordings/recording.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

const recordings = join(import.meta.dirname, "../../packages/testkit/recordings");

export interface RecordedUserOptions {
  readonly sandbox: Sandbox;
  readonly editor: Awaited<ReturnType<typeof startCore>>["editor"];
  readonly recorder: Pick<Recorder, "user" | "file">;
  /** What the CLI shows, for a wait that ends in vain. */
  readonly describe?: () => string | Promise<string>;
}

/** The user of a recorded CLI, whose editor is in memory, and the files that both change. */
export type RecordedUser = ReturnType<typeof createRecordedUser>;

export function createRecordedUser({ sandbox, editor, recorder, describe = () => "" }: RecordedUserOptions) {
  return {
    /** Writes a file of the workspace. @returns its path */
    async write(name: string, text: string) {
      const path = await sandbox.write(name, text);
      recorder.file(path, text);
      return path;
    },
    /** The user does this in the editor. */
    user(action: UserAction) {
      recorder.user(action);
      performAction(editor, action);
    },
    /** Waits until the editor shows a diff of this file. */
    async shown(path: string) {
      const hasDiff = () => [...editor.diffs.values()].some(({ proposal }) => proposal.filePath === path);
      await poll(`diff of ${path}`, hasDiff, { describe });
    },
    /** Waits until it shows no diff. */
    async nothingShown() {
      await poll("end of the diffs", () => editor.diffs.size === 0, { describe });
    },
  };
}

/** Waits for the end of the CLI's turn, and notes what it has written. */
export async function noteWritten(
  recorder: Recorder,
  path: string,
  cli: { finished(): Promise<unknown> },
): Promise<void> {
  await cli.finished();
  recorder.file(path, await readFile(path, "utf8"));
}

/** What every recording begins with. */
export const headerOf = (agent: string, version: string, scenario: string) => ({
  agent,
  version,
  scenario,
  date: new Date().toISOString().slice(0, 10),
});

/** Writes `recordings/AGENT/VERSION/SCENARIO.jsonl`. */
export async function saveRecording(recorder: Pick<Recorder, "recording">): Promise<void> {
  const recording = recorder.recording();
  const { agent, version, scenario } = recording.header;
  const path = join(recordings, agent, version, `${scenario.replaceAll(" ", "-")}.jsonl`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, formatRecording(recording));
}
