import type { Agent } from "../../agents/agent.ts";
import type { FindIdeOptions } from "../../client/find-ide.ts";
import { connectionNotReached, examineConnection } from "./connection-steps.ts";
import { examineContainer, examineProxy } from "./network-steps.ts";
import { type Observation, observe, toIdeName } from "./observation.ts";
import { examineProgram } from "./program.ts";
import { examineRunning } from "./running-clis.ts";
import {
  examineEnvironment,
  examineFiles,
  examineIde,
  examineProcess,
  examineWorkspace,
} from "./search-steps.ts";
import { failed, ok, type Step, unreached } from "./step.ts";

/** What keeps one CLI from its IDE, or that nothing does. */
export interface Diagnosis {
  readonly agent: Agent;
  readonly folder: string;
  /** In the order in which the CLI takes them. */
  readonly steps: readonly Step[];
  /** Whether the CLI would connect and show its diffs in the IDE. */
  readonly sound: boolean;
  /** The IDE's name for people. */
  readonly ide: string;
}

/** Takes every step of a CLI that starts here, now. */
export async function diagnose(agent: Agent, options: FindIdeOptions): Promise<Diagnosis> {
  const observation = await observe(agent, options);
  const settings = examineSettings(observation);
  const container = await examineContainer(observation);
  const steps = [
    await examineProgram(observation, options.host),
    ...settings,
    examineProcess(observation),
    examineEnvironment(observation),
    await examineFiles(observation),
    examineIde(observation),
    await examineWorkspace(observation),
    container,
    examineProxy(observation),
    // What lies outside of the container is not the companion that was meant.
    ...(container.result === "failed" ? connectionNotReached : await examineConnection(observation)),
    ...(await examineRunning(observation)),
  ];
  const sound = steps.every(({ result }) => result === "ok" || result === "note");
  return { agent, folder: observation.folder, steps, sound, ide: toIdeName(observation) };
}

/** When a file cannot be read, nothing that it decides can be known. */
function examineSettings({ cli, environment }: Observation): readonly Step[] {
  const [files, ...others] = cli
    .checkSettings(environment)
    .map(({ id, evidence, remedy }) =>
      remedy === undefined ? ok(id, ...evidence) : failed(id, evidence, remedy),
    );
  if (files?.result !== "failed") return files ? [files, ...others] : others;
  return [files, ...others.map(({ id }) => unreached(id))];
}
