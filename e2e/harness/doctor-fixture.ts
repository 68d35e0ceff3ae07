import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type SeedCompanionOptions, startSeedCompanion } from "../../packages/testkit/src/fake-companion.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { AgentKind } from "./agent-cli.ts";

/** What every CLI that is started here has around it. */
export interface DoctorFixture {
  readonly sandbox: Sandbox;
  readonly kind: AgentKind;
  readonly env: Readonly<Record<string, string>>;
}

/** A file as a companion of this CLI would write it. @returns its path */
export async function put(
  { sandbox, kind }: DoctorFixture,
  port: number,
  content: object = {},
  name = `${process.pid}-${port}`,
) {
  const isGemini = kind.name === "gemini";
  const file = isGemini
    ? join(sandbox.tmp, "gemini", "ide", `gemini-ide-server-${name}.json`)
    : join(sandbox.home, ".qwen", "ide", `${port}.lock`);
  const ideInfo = { name: "other", displayName: "Other IDE" };
  const usual = { port, workspacePath: sandbox.workspace, authToken: "secret", ideInfo };
  await mkdir(dirname(file), { recursive: true });
  const owner = isGemini ? {} : { ppid: process.pid };
  await writeFile(file, JSON.stringify({ ...usual, ...owner, ...content }), { mode: 0o600 });
  return file;
}

/** A companion made from the specification, in a fixture where this CLI finds it. */
export async function startSeed(
  fixture: DoctorFixture,
  content: object = {},
  options: Partial<SeedCompanionOptions> = {},
) {
  const { sandbox } = fixture;
  const { workspacePath = sandbox.workspace } = options;
  const seed = sandbox.own(await startSeedCompanion({ tmp: sandbox.tmp, ...options, workspacePath }));
  if (fixture.kind.name === "gemini" && Object.keys(content).length === 0) return seed;
  await rm(seed.file);
  await put(fixture, seed.port, { authToken: seed.token, workspacePath, ...content });
  return seed;
}

/**
 * Makes the terminal one of an IDE that the CLI knows. Without it a CLI looks for its IDE once, at its start, and has
 * no `/ide enable` when it has found nothing. By the command, because tmux sets TERM_PROGRAM.
 */
export const knownTerminal: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // As VS Code it would first ask about key bindings.
  gemini: { ZED_SESSION_ID: "1" },
  qwen: { TERM_PROGRAM: "vscode" },
};
