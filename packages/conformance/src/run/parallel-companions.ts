import { existsSync } from "node:fs";
import { join } from "node:path";
import { NotRun } from "../assertions.ts";
import type { StartedCompanion, StartOptions } from "../target/started-companion.ts";
import { isListening } from "../target/target.ts";
import type { CliSession } from "../wire/cli-session.ts";
import { Evidence } from "../wire/evidence.ts";
import { Wire } from "../wire/wire.ts";
import { createCleanup } from "./cleanup.ts";
import type { Limits } from "./limits.ts";
import { pathsOf, type Started, type WatchedStart, watchStart } from "./watched-start.ts";

/** A companion that started while another one ran in the same sandbox. */
export interface SecondStart extends Started {
  /** Files of the first one that disappeared during the start. */
  readonly lost: readonly string[];
  /** Whether the first one still served its CLI. */
  readonly firstServes: boolean;
}

/** The end of a busy companion: a CLI was connected and a diff was open. */
export interface Ended {
  readonly port: number;
  /** Its files that are still there. */
  readonly left: readonly string[];
  readonly inTime: boolean;
  /** Whether the stream of its CLI was closed. */
  readonly streamEnded: boolean;
  /** Whether a process still listens on its port. */
  readonly listens: boolean;
}

/**
 * Two companions that run in one folder at the same time, apart from the one under test. Each of these events happens
 * once in a run, when the first check asks for it; several checks examine its result.
 */
export interface ParallelCompanions {
  first(): Promise<WatchedStart>;
  second(): Promise<SecondStart>;
  /** Ends the second one by SIGTERM. `lost` has the files of the first one that disappeared with it. */
  terminated(): Promise<Ended & { readonly lost: readonly string[] }>;
  /** After that, ends the first one by SIGHUP. */
  hungUp(): Promise<Ended>;
  /** All that was sent to them and came back. */
  readonly evidence: Evidence;
  close(): Promise<void>;
}

export interface ParallelOptions {
  /** Starts one of them; absent when the kit has no command for it. */
  readonly start?: (options: StartOptions) => Promise<StartedCompanion>;
  readonly limits: Limits;
}

export function createParallelCompanions(options: ParallelOptions): ParallelCompanions {
  const { limits } = options;
  const evidence = new Evidence([]);
  const { start, connect, close } = createMeans(options, evidence);
  const first = happensOnce(async () => {
    const watched = await watchStart((prepare) => start({ prepare }), limits.event);
    const steps = watched.steps.map(
      ({ how, path, listens }) => `${how} ${path}${listens ? ", listens" : ""}`,
    );
    evidence.note(`The files of the first companion appeared in this order: ${steps.join("; ")}`);
    return watched;
  });
  const second = happensOnce(async () => {
    const running = await first();
    const session = await connect(running.companion);
    // The same system folders and the same open folder, as two windows on one project.
    const started = await start({ sandbox: running.companion.sandbox });
    const { result } = await session.request("ping", {});
    return {
      ...started,
      lost: pathsOf(running.files).filter((path) => !existsSync(path)),
      firstServes: result !== undefined && session.stream.end === undefined,
    };
  });
  const terminated = happensOnce(async () => {
    const { companion } = await second();
    const before = pathsOf((await first()).files).filter((path) => existsSync(path));
    const ended = await endBusy(companion, "SIGTERM");
    return { ...ended, lost: before.filter((path) => !existsSync(path)) };
  });
  const hungUp = happensOnce(async () => {
    await terminated();
    return endBusy((await first()).companion, "SIGHUP");
  });
  const endBusy = async (companion: StartedCompanion, signal: NodeJS.Signals): Promise<Ended> => {
    const session = await connect(companion);
    await session.openDiff(join(companion.sandbox.workspace, "open-at-the-end.txt"), "proposed\n");
    session.openDiffs.clear(); // the companion ends before it could be closed
    const files = pathsOf(await filesOf(companion));
    const started = performance.now();
    const inTime = await companion.end(signal);
    evidence.note(`After ${signal} it took ${Math.round(performance.now() - started)} ms to end.`);
    await session.stream.find(({ end }) => end, limits.quiet);
    const { port } = companion.target;
    return {
      port,
      left: files.filter((path) => existsSync(path)),
      inTime,
      streamEnded: session.stream.end !== undefined,
      listens: await isListening(port),
    };
  };
  return { first, second, terminated, hungUp, evidence, close };
}

/** Starts companions and connects to them. `close` ends all of them. */
function createMeans({ start, limits }: ParallelOptions, evidence: Evidence) {
  const controller = new AbortController();
  const cleanup = createCleanup();
  cleanup.later(async () => controller.abort());
  return {
    async start(options: StartOptions): Promise<Started> {
      if (!start) throw new NotRun("there is no command that starts companions");
      const companion = await start(options);
      cleanup.later(() => companion.end("SIGTERM"));
      for (const token of companion.target.tokens.values()) evidence.hide(token);
      return { companion, files: await filesOf(companion) };
    },
    async connect({ target }: StartedCompanion): Promise<CliSession> {
      const wire = new Wire({ target, evidence, limits, signal: controller.signal });
      cleanup.later(() => wire.close());
      return wire.connect();
    },
    close: cleanup.close,
  };
}

/** Its own discovery files. */
async function filesOf({ target, files }: StartedCompanion): Promise<Started["files"]> {
  return (await files()).filter(({ content }) => content?.port === target.port);
}

function happensOnce<T>(happen: () => Promise<T>): () => Promise<T> {
  let happening: Promise<T> | undefined;
  return () => {
    happening ??= happen();
    return happening;
  };
}
