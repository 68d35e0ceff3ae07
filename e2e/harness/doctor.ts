import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript } from "./installed.ts";

const Diagnoses = z.tuple([
  z.object({
    sound: z.boolean(),
    steps: z.array(z.object({ id: z.string(), result: z.string(), remedy: z.string().optional() })),
  }),
]);

/** Asks `ide-companion doctor` of one CLI, in its folder and with its variables. */
export async function askDoctor(sandbox: Sandbox, agent: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [companionScript, "doctor", agent, "--json"], {
    cwd: sandbox.workspace,
    env: { ...sandbox.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const output = await text(child.stdout);
  const [exitCode] = await ended;
  const [{ steps, sound }] = Diagnoses.parse(JSON.parse(output));
  if (sound !== (exitCode === 0)) throw new Error(`the doctor ends with ${exitCode}, and says:\n${output}`);
  // As in `port: Start a companion …`.
  const faults = steps.flatMap(({ id, remedy }) => (remedy === undefined ? [] : [`${id}: ${remedy}`]));
  return { faults, exitCode };
}
