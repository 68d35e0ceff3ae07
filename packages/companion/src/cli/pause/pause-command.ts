import { setTimeout as pause } from "node:timers/promises";
import { agents } from "../../agents/agents.ts";
import { createPauseMarks } from "../../core/sharing/pause-marks.ts";
import { holds } from "../../files/workspace-path.ts";
import { foldersUpwards } from "../../system/disk.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { tellThatNoneServes } from "../serving.ts";
import { type SurveyedCompanion, survey } from "../status/survey.ts";
import { toDisplayPath } from "../terminal/text.ts";

/** How long companions may take to follow, and how often they are asked; in milliseconds. */
const patience = { whole: 3000, between: 50 };

/** Sends agents nothing of what the user looks at in the companions of this folder. */
export const runPause = (invocation: Invocation): Promise<number> => switchSharing(invocation, true);

/** Sends it again. */
export const runResume = (invocation: Invocation): Promise<number> => switchSharing(invocation, false);

async function switchSharing(invocation: Invocation, paused: boolean): Promise<number> {
  const { arguments: given, folder, host } = invocation;
  const isMeant = ({ findings }: SurveyedCompanion) =>
    given.has("all") || findings.some(({ roots }) => holds(roots, folder));
  const { companions } = await survey(host);
  const meant = companions.filter(isMeant);
  const marks = createPauseMarks(host);
  if (!paused) {
    // Also what a companion has left that does not run any more.
    if (given.has("all")) marks.clear();
    else for (const above of foldersUpwards(folder)) marks.remove([above]);
  }
  if (meant.length === 0) {
    const others = companions.flatMap(({ findings }) => findings);
    await tellThatNoneServes(invocation, { agents, folders: [folder] }, others);
    return exitCodes.failure;
  }
  for (const companion of meant) {
    const roots = rootsOf(companion);
    // Of several folders one is enough to pause it; the others may be other companions' too.
    if (paused) marks.add(given.has("all") ? roots : roots.filter((root) => holds([root], folder)));
    else marks.remove(roots);
  }
  const ports = meant.map(({ port }) => port);
  const followed = await untilFollowed(invocation, ports, paused);
  tell(invocation, followed, paused);
  return followed.every((companion) => isPaused(companion) === paused) ? exitCodes.ok : exitCodes.failure;
}

const rootsOf = ({ findings }: SurveyedCompanion): readonly string[] => findings[0]?.roots ?? [];

/** Undefined when it does not say. */
const isPaused = ({ health }: SurveyedCompanion): boolean | undefined =>
  health.status === "ok" ? health.paused : undefined;

/** @returns the companions of these ports as they are at last; one that has ended meanwhile needs nothing more */
async function untilFollowed(
  { host }: Invocation,
  ports: readonly number[],
  paused: boolean,
): Promise<readonly SurveyedCompanion[]> {
  const limit = performance.now() + patience.whole;
  for (;;) {
    const { companions } = await survey(host);
    const meant = companions.filter(({ port }) => ports.includes(port));
    if (meant.every((companion) => isPaused(companion) === paused)) return meant;
    if (performance.now() > limit) return meant;
    await pause(patience.between);
  }
}

function tell(
  { out, err, host }: Invocation,
  companions: readonly SurveyedCompanion[],
  paused: boolean,
): void {
  for (const companion of companions) {
    const name = companion.findings[0]?.ide?.displayName ?? "Companion";
    const roots = rootsOf(companion).map((root) => toDisplayPath(root, host.home));
    const place = `${name}  ${roots.length === 0 ? "no folder is open" : roots.join(", ")}`;
    if (isPaused(companion) !== paused) {
      const why = "has not followed: it is of an earlier version, or on another machine";
      err.line(`${err.paint.plain(place)}  ${err.paint.red(why)}`);
    } else {
      const what = paused ? "paused: agents are sent nothing of what you look at" : "resumed";
      out.line(`${out.paint.plain(place)}  ${paused ? out.paint.yellow(what) : out.paint.green(what)}`);
    }
  }
}
