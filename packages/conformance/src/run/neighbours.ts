import { existsSync } from "node:fs";
import { join } from "node:path";
import { NotRun } from "../assertions.ts";
import { isListening } from "../target/found-companion.ts";
import type { StartedCompanion, StartOptions } from "../target/started-companion.ts";
import type { CliSession } from "../wire/cli-session.ts";
import { Evidence } from "../wire/evidence.ts";
import { Wire } from "../wire/wire.ts";
import type { Limits } from "./limits.ts";
import { createTidy } from "./tidy.ts";
import { pathsOf, type Started, type WatchedStart, watchStart } from "./watched-start.ts";

/** A companion that started in the sandbox of another, while that ran. */
export interface SecondStart extends Started {
  /** Files of the first that went away meanwhile. */
  readonly lost: readonly string[];
  /** Whether the first one still served the CLI that it had. */
  readonly firstServes: boolean;
}

/** The end of a companion that was busy: a CLI was connected, and a diff open. */
export interface Ended {
  readonly port: number;
  /** Files that it had and that are still there. */
  readonly left: readonly string[];
  readonly inTime: boolean;
  /** Whether the stream of its CLI was closed. */
  readonly streamEnded: boolean;
  /** Whether somebody still listens on its port. */
  readonly listens: boolean;
}

/**
 * Two companions in one folder, beside the one under test. What happens to them happens once in a run, when the first
 * check asks for it, and several checks look at it.
 */
export interface Neighbours {
  first(): Promise<WatchedStart>;
  second(): Promise<SecondStart>;
  /** The second one's end by SIGTERM, and which files of the first went away with it. */
  terminated(): Promise<Ended & { readonly lost: readonly string[] }>;
  /** After that, the first one's end by SIGHUP. */
  hungUp(): Promise<Ended>;
  /** All that was sent to them, and came back. */
  readonly evidence: Evidence;
  close(): Promise<void>;
}

export interface NeighboursOptions {
  /** Starts one of them; absent when that is not possible, and no check asks for them. */
  readonly start?: (options: StartOptions) => Promise<StartedCompanion>;
  readonly limits: Limits;
}

export function createNeighbours(options: NeighboursOptions): Neighbours {
  const { limits } = options;
  const evidence = new Evidence([]);
  const { start, connect, close } = createMeans(options, evidence);
  const first = happensOnce(async () => {
    const watched = await watchStart((prepare) => start({ prepare }), limits.event);
    const steps = watched.steps.map(
      ({ how, path, listens }) => `${how} ${path}${listens ? ", listens" : ""}`,
    );
    evidence.note(`The files of the first came in this order: ${steps.join("; ")}`);
    return watched;
  });
  const second = happensOnce(async () => {
    const neighbour = await first();
    const session = await connect(neighbour.companion);
    // The same system folders and the same open folder, as two windows on one project.
    const started = await start({ sandbox: neighbour.companion.sandbox });
    const { result } = await session.request("ping", {});
    return {
      ...started,
      lost: pathsOf(neighbour.files).filter((path) => !existsSync(path)),
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
    session.openDiffs.clear(); // nobody will be there to close it
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

/** Starts companions and connects to them; all of that ends with `close`. */
function createMeans({ start, limits }: NeighboursOptions, evidence: Evidence) {
  const controller = new AbortController();
  const tidy = createTidy();
  tidy.later(async () => controller.abort());
  return {
    async start(options: StartOptions): Promise<Started> {
      if (!start) throw new NotRun("there is no command that starts companions");
      const companion = await start(options);
      tidy.later(() => companion.end("SIGTERM"));
      for (const token of companion.target.tokens.values()) evidence.hide(token);
      return { companion, files: await filesOf(companion) };
    },
    async connect({ target }: StartedCompanion): Promise<CliSession> {
      const wire = new Wire({ target, evidence, limits, signal: controller.signal });
      tidy.later(() => wire.close());
      return wire.connect();
    },
    close: tidy.close,
  };
}

/** Its discovery files, without those of others. */
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
