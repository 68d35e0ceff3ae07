import type { Agent } from "../agents/index.ts";
import { type Choice, chooseCompanion, onePerPort } from "../client/choose-companion.ts";
import { findCompanions, type LiveFinding } from "../client/find-companions.ts";
import type { Invocation } from "./invocation.ts";
import { toDisplayPath } from "./terminal/display-path.ts";
import { toShellWord } from "./terminal/shell-word.ts";

/** What is looked for: a companion that agents find, for a folder. */
export interface Wanted {
  readonly agents: readonly Agent[];
  /** Absolute; the first that is served counts. */
  readonly folders: readonly string[];
}

/** The companion that was chosen. */
export interface Serving {
  readonly chosen: LiveFinding;
  /** All that lead to it, the chosen one among them: each agent has its own. */
  readonly findings: readonly LiveFinding[];
}

/**
 * The companion of a folder, as a CLI there would choose it. Says so when it is one of several, or when there
 * is none and what to do then.
 */
export async function findServing(invocation: Invocation, wanted: Wanted): Promise<Serving | undefined> {
  const { host } = invocation;
  const live = (await findCompanions(host, wanted.agents)).filter((finding) => finding.verdict === "live");
  for (const folder of wanted.folders) {
    const choice = chooseCompanion(live, folder, host.env);
    if (!choice) continue;
    tellOthers(invocation, choice);
    const { port } = choice.chosen.content;
    return { chosen: choice.chosen, findings: live.filter(({ content }) => content.port === port) };
  }
  tellThatNoneServes(invocation, wanted, live);
  return undefined;
}

function tellThatNoneServes({ host, err }: Invocation, wanted: Wanted, live: readonly LiveFinding[]): void {
  const { paint } = err;
  const display = (file: string) => toDisplayPath(file, host.home);
  const [agent, ...further] = wanted.agents;
  const whom = agent && further.length === 0 ? ` for ${agent.displayName}` : "";
  const folder = wanted.folders.at(-1) ?? "";
  err.line(`${paint.red("error:")} ${paint.plain(`no companion serves ${display(folder)}${whom}`)}`);
  err.line(`Start one in another terminal: ${paint.bold(`ide-companion ${toShellWord(folder)}`)}`);
  if (live.length === 0) return;
  err.line();
  err.line("These serve other folders:");
  for (const finding of onePerPort(live)) {
    const roots = finding.roots.length === 0 ? "no folder" : finding.roots.map(display).join(", ");
    err.line(`  ${paint.plain(toPlaceName(finding))}  ${paint.dim(roots)}`);
  }
}

/** Which of several was taken must be seen. */
function tellOthers({ err }: Invocation, { chosen, others }: Choice): void {
  if (others.length === 0) return;
  const sentence = `${others.length + 1} companions serve this folder. Using ${toPlaceName(chosen)}, not ${others.map(toPlaceName).join(", ")}.`;
  err.line(err.paint.yellow(sentence));
}

/** `Neovim on port 40123` */
export const toPlaceName = (finding: LiveFinding) =>
  `${toEditorName(finding)} on port ${finding.content.port}`;

/** The editor's name for people. */
export const toEditorName = ({ content }: LiveFinding) =>
  content.ideInfo?.displayName ?? content.ideName ?? "Companion";
