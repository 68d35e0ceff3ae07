import { displayNameOf, hookedAgents } from "../../agents/agents.ts";
import { reviewModeMeanings } from "../../core/sentences.ts";
import { ReviewModes, reviewModes } from "../../core/written/review-mode.ts";
import { suggest } from "../arguments.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { toDisplayPath } from "../terminal/text.ts";

/** Says or sets when the user looks at what agents write in this folder. */
export async function runReviewMode(invocation: Invocation): Promise<number> {
  const { arguments: given, folder, host, out } = invocation;
  const [word] = given.words;
  const mode = reviewModes.find((one) => one === word);
  if (word !== undefined && mode === undefined) {
    throw new UsageError(`${word} is none of ${reviewModes.join(", ")}${suggest(word, reviewModes)}`);
  }
  const modes = new ReviewModes(host);
  const named = given.all("agent");
  changeAlways(modes, invocation);
  if (mode !== undefined) modes.set(folder, mode, named);
  const shown = named.length > 0 ? named : hookedAgents.map(({ name }) => name);
  const reviewed = modes.in(folder);
  const found = shown.map((agent) => ({ agent, ...reviewed.find(agent) }));
  const { always } = reviewed;
  if (given.has("json")) {
    out.line(JSON.stringify({ folder, agents: found, always }, null, 2));
    return exitCodes.ok;
  }
  for (const { agent, mode: now, of } of found) {
    const why = of === undefined ? "unless said otherwise" : `said for ${toDisplayPath(of, host.home)}`;
    const meaning = reviewModeMeanings[now];
    const name = displayNameOf(agent).padEnd(12);
    out.line(`${name}  ${out.paint.bold(now.padEnd(6))}  ${meaning} ${out.paint.dim(`(${why})`)}`);
  }
  for (const { of, patterns } of always) {
    const why = out.paint.dim(`(said for ${toDisplayPath(of, host.home)})`);
    out.line(`Always asked about: ${patterns.map(out.paint.plain).join(", ")} ${why}`);
  }
  return exitCodes.ok;
}

/** @throws UsageError for a pattern that nobody has said here */
function changeAlways(modes: ReviewModes, { arguments: given, folder }: Invocation): void {
  const [more, less] = [given.all("always"), given.all("not-always")];
  if (more.length + less.length === 0) return;
  if (given.has("agent")) throw new UsageError("--always counts for all agents, not for one");
  modes.setAlways(folder, (patterns) => {
    const unknown = less.find((one) => !patterns.includes(one));
    if (unknown !== undefined)
      throw new UsageError(`${unknown} was not said for this folder${suggest(unknown, patterns)}`);
    return [...new Set([...patterns, ...more])].filter((one) => !less.includes(one));
  });
}
