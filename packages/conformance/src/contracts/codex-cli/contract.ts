import { realpath } from "node:fs/promises";
import { NoCompanion, openSubject, refuseAddress } from "../../cli/subject.ts";
import type { Limits } from "../../run/subject.ts";
import { RunnableContract } from "../contract.ts";
import type { CodexFault } from "./faults.ts";
import { questionsRules } from "./rules/questions.ts";
import { sharingRules } from "./rules/sharing.ts";
import { framesRules, lifecycleRules, socketRules } from "./rules/socket.ts";
import {
  type CodexTarget,
  createMeans,
  isAnswered,
  type Means,
  socketsOf,
  startCodex,
} from "./target/socket.ts";

/** Messages with their length before them, on one socket for each user. */
export const codexCli = new RunnableContract<CodexTarget, Means, CodexFault>({
  agents: ["codex-cli"],
  groups: {
    socket: { title: "Socket", rules: socketRules },
    frames: { title: "Frames", rules: framesRules },
    questions: { title: "Questions", rules: questionsRules },
    sharing: { title: "Sharing the socket", rules: sharingRules },
    lifecycle: { title: "Lifecycle", rules: lifecycleRules },
  },
  handshake: "answered",
  severalClis: "answered",
  titlesOf: () => ["Codex CLI"],
  async open(args, cleanup) {
    const reason = whyUnchecked(process.platform);
    if (reason !== undefined) throw new NoCompanion(reason);
    refuseAddress(args, "Codex CLI finds its companion by a socket");
    return openSubject(args, cleanup, { isGiven: false, start: startCodex, find: findTarget });
  },
  addressOf: ({ socket }) => socket,
  secretsOf: () => [],
  createMeans,
});

/** Why this contract cannot be checked on a platform; undefined where it can. */
export function whyUnchecked(platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32") return undefined;
  return "on Windows all companions of Codex CLI share one pipe, so the kit cannot check one alone";
}

async function findTarget({ answer }: Limits): Promise<CodexTarget> {
  const sockets = socketsOf(process.env);
  const here = await realpath(process.cwd());
  if (!(await isAnswered(sockets.socket, here, answer)))
    throw new NoCompanion(`nobody answers for ${here} at ${sockets.socket}`);
  return { ...sockets, name: "a companion", roots: [here] };
}
