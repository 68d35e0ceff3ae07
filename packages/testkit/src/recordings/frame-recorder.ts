import { chmodSync, mkdirSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { FrameParser, toFrame } from "../frames.ts";
import type { Resident } from "../sandbox.ts";
import { Concealer, type Values } from "./placeholders.ts";
import type { Recorder } from "./recorder.ts";
import { type Entry, framesMethod, parse, type RecordingHeader } from "./recording.ts";

export interface FrameRecorderOptions {
  /** The companion's socket. */
  readonly target: string;
  /** Where the CLI connects: made with its folder, for its user alone. */
  readonly path: string;
  /** What becomes a placeholder. */
  readonly values: Values;
  readonly header: RecordingHeader;
}

/** Stands between a CLI and its companion on Unix sockets, and records each message with a length in front. */
export async function startFrameRecorder({
  target,
  path,
  values,
  header,
}: FrameRecorderOptions): Promise<Pick<Recorder, "user" | "file" | "recording"> & Resident> {
  const concealer = new Concealer(values);
  const entries: Entry[] = [];
  const open = new Set<Socket>();
  let exchanges = 0;

  const server = createServer((cli) => {
    exchanges += 1;
    const on = exchanges;
    entries.push({ on, request: { method: framesMethod, path: "", headers: {} } });
    const companion = connect(target);
    let isOver = false;
    const join = (from: "cli" | "companion", source: Socket, to: Socket) => {
      open.add(source);
      const parser = new FrameParser((text) => {
        const frame = parse(text);
        if (from === "companion") nameOwnId(concealer, frame);
        entries.push({ on, from, frame: concealer.value(frame) });
        to.write(toFrame(text));
      });
      source.on("data", (chunk) => parser.push(chunk));
      source.on("error", () => source.destroy()); // it closes
      source.on("close", () => {
        open.delete(source);
        to.end();
        if (!isOver) entries.push({ on, from, close: {} });
        isOver = true;
      });
    };
    join("cli", cli, companion);
    join("companion", companion, cli);
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  chmodSync(path, 0o600);
  return {
    user: (action) =>
      void entries.push({
        user:
          action.action === "focus"
            ? { ...action, context: concealer.value(action.context) }
            : { ...action, path: concealer.text(action.path) },
      }),
    file: (file, text) =>
      void entries.push({ file: { path: concealer.text(file), text: concealer.text(text) } }),
    recording: () => ({ header, entries: [...entries] }),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A program on the socket names itself in each answer. */
function nameOwnId(concealer: Concealer, frame: unknown): void {
  if (typeof frame !== "object" || frame === null || !("handledByClientId" in frame)) return;
  if (typeof frame.handledByClientId === "string") concealer.nameId(frame.handledByClientId);
}
