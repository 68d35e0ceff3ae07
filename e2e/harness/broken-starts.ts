import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../packages/testkit/src/listen.ts";
import { start } from "./broken-files.ts";
import { type Companion, startCompanion } from "./companion.ts";
import { type DoctorFixture, knownTerminal, put, startSeed } from "./doctor-fixture.ts";
import { companionScript } from "./installed.ts";

/** How a CLI is started. */
export interface Start {
  /** Before the CLI's own command. */
  readonly command?: readonly string[];
  /** Instead of the CLI's own command. */
  readonly instead?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: object | string;
  /** The CLI's user has said that the workspace is not to be trusted. */
  readonly distrusts?: boolean;
}

/** What a user sees of it when it is broken. */
export type Symptom =
  | "does not connect"
  | "knows no IDE"
  | "does not start"
  | "takes no input"
  /** It is connected, and changes files all the same without a diff in the IDE. */
  | "writes unasked"
  /** It is connected, and asks in its terminal only. */
  | "asks in its terminal";

/** A start that is broken: what the CLI does, what the doctor must say of it, and how a user does what it says. */
export interface BrokenStart extends Start {
  readonly symptom: Symptom;
  readonly fault: RegExp;
  /** What a user does, besides starting it again. */
  repair?(): Promise<unknown>;
  /** How the CLI is started then, if not as usual: not at all where `/ide enable` will do. */
  readonly next?: Start | "enable";
  /** How many diffs the IDE has shown so far, if that is the question. */
  readonly diffs?: () => number;
}

export type BrokenStarts = Readonly<Record<string, (fixture: DoctorFixture) => Promise<BrokenStart>>>;

/** The CLI's settings with some of them changed. */
const change = ({ kind }: DoctorFixture, part: object): object => ({ ...kind.settings, ...part });

const countDiffs = (companion: Companion) => () => companion.output().split("proposes").length - 1;

/** Known by variables alone; the last hold when `env` begins a command. */
const inKnownTerminal = ({ kind }: DoctorFixture, env: Readonly<Record<string, string>> = {}): Start => {
  const all = { ...knownTerminal[kind.name], ...env };
  return { command: ["env", ...Object.entries(all).map(([name, value]) => `${name}=${value}`)], env: all };
};

/** Variables of the terminal lead to no companion; `/ide enable` finds one that starts then. */
const leadNowhere = (fixture: DoctorFixture, env: Readonly<Record<string, string>>) => ({
  ...inKnownTerminal(fixture, env),
  symptom: "does not connect" as const,
  fault: start,
  repair: () => startCompanion(fixture.sandbox),
  next: "enable" as const,
});

const never: BrokenStarts = {
  "IDE mode was never switched on": async (fixture) => {
    await startCompanion(fixture.sandbox);
    return {
      settings: change(fixture, { ide: { hasSeenNudge: true } }),
      symptom: "does not connect",
      fault: /^ide-mode: Say \/ide enable/,
      next: "enable",
    };
  },

  "it does not trust a workspace that the IDE trusts": async (fixture) => {
    const { sandbox, kind } = fixture;
    const { workspace } = sandbox;
    await startSeed(fixture, {}, { context: { workspaceState: { isTrusted: true, openFiles: [] } } });
    const file = join(sandbox.home, kind.folder, "trustedFolders.json");
    const repair = () => writeFile(file, JSON.stringify({ [workspace]: "TRUST_FOLDER" }));
    const fault = new RegExp(
      `^trust: Trust this folder .* set "${workspace}": "TRUST_FOLDER" in ${file}, and`,
    );
    return { distrusts: true, symptom: "takes no input", fault, repair };
  },
};

export const geminiStarts: BrokenStarts = {
  ...never,

  "the folder's own settings switch IDE mode off": async ({ sandbox }) => {
    await startCompanion(sandbox);
    const file = await sandbox.write(".gemini/settings.json", '{ "ide": { "enabled": false } }');
    const repair = () => writeFile(file, '{ "ide": { "enabled": true } }');
    return { symptom: "does not connect", fault: /^ide-mode: Set .* in .*workspace/, repair };
  },

  "it accepts every change without a question": async (fixture) => ({
    diffs: countDiffs(await startCompanion(fixture.sandbox)),
    settings: change(fixture, { general: { defaultApprovalMode: "auto_edit" } }),
    symptom: "writes unasked",
    fault: /^approval: Set "general": \{ "defaultApprovalMode": "default" \}/,
  }),

  "a tool is allowed for ever": async (fixture) => {
    const folder = join(fixture.sandbox.home, ".gemini", "policies");
    await mkdir(folder, { recursive: true });
    const file = join(folder, "auto-saved.toml");
    await writeFile(file, '[[rule]]\ndecision = "allow"\npriority = 100\ntoolName = "write_file"\n');
    const repair = () => rm(file);
    const diffs = countDiffs(await startCompanion(fixture.sandbox));
    return { diffs, symptom: "writes unasked", fault: /^approval: Take the rule/, repair };
  },

  "it is to run in a sandbox": async (fixture) => {
    await startCompanion(fixture.sandbox);
    return {
      // One that is nowhere to be found: others would be fetched from the network.
      settings: change(fixture, { tools: { sandbox: "lxc" } }),
      symptom: "does not start",
      fault: /^sandbox: Set "tools": \{ "sandbox": false \}/,
    };
  },

  "a file of the project puts it into a sandbox": async ({ sandbox }) => {
    await startCompanion(sandbox);
    const file = await sandbox.write(".env", "GEMINI_SANDBOX=lxc # not here\n");
    const repair = () => rm(file);
    const fault = /^sandbox: Take GEMINI_SANDBOX out of .*\/workspace\/\.env\./;
    return { symptom: "does not start", fault, repair };
  },

  "companion and CLI have other temporary folders": async ({ sandbox }) => {
    await startCompanion(sandbox);
    const TMPDIR = join(sandbox.home, "tmp");
    await mkdir(TMPDIR);
    const fault = new RegExp(
      `^companion: Start the CLI with TMPDIR as the companion has it: TMPDIR=${sandbox.tmp} gemini`,
    );
    return { env: { TMPDIR }, symptom: "knows no IDE", fault };
  },

  "the variables of a terminal outlive their companion": async (fixture) => {
    return leadNowhere(fixture, {
      GEMINI_CLI_IDE_SERVER_PORT: String(await freePort()),
      GEMINI_CLI_IDE_WORKSPACE_PATH: fixture.sandbox.workspace,
      GEMINI_CLI_IDE_AUTH_TOKEN: "secret",
    });
  },

  "the program that should serve it is not there": async (fixture) =>
    leadNowhere(fixture, {
      GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: "no-such-companion",
      GEMINI_CLI_IDE_WORKSPACE_PATH: fixture.sandbox.workspace,
    }),

  "the companion shows no diffs": async (fixture) => {
    const deviations = { tools: ["openDiff"] };
    let seed = await startSeed(fixture, {}, { deviations });
    const repair = async () => {
      await seed.close();
      seed = await startSeed(fixture);
    };
    const fault = /^tools: Update the companion of Seed/;
    return { diffs: () => seed.diffs.size, symptom: "asks in its terminal", fault, repair };
  },

  "the IDE does not trust a workspace that the CLI trusts": async (fixture) => {
    const context = { workspaceState: { isTrusted: false, openFiles: [] } };
    const seed = await startSeed(fixture, {}, { context });
    const repair = async () => {
      seed.update({ workspaceState: { isTrusted: true, openFiles: [] } });
    };
    return { symptom: "takes no input", fault: /^trust: Trust the workspace in Seed/, repair };
  },

  ...(existsSync("/.dockerenv") && {
    "a container hides its companion from it": async ({ sandbox }: DoctorFixture) => {
      await startCompanion(sandbox);
      const env = { SSH_CONNECTION: "" };
      const next = { instead: [process.execPath, companionScript, "run", "gemini"], env };
      const fault = /^connection: Let it look inside the container: ide-companion run gemini/;
      return { env, symptom: "does not connect" as const, fault, next };
    },
  }),
};

export const qwenStarts: BrokenStarts = {
  ...never,

  "its settings are damaged": async ({ sandbox, kind }) => {
    await startCompanion(sandbox);
    return {
      settings: `${JSON.stringify(kind.settings).slice(0, -1)},}`,
      symptom: "does not start",
      fault: /^settings: Fix .*settings\.json/,
    };
  },

  "the file does not name its IDE, and the terminal is none that it knows": async (fixture) => {
    await startSeed(fixture, { ideInfo: undefined });
    const next = { command: ["env", "TERM_PROGRAM=vscode"], env: { TERM_PROGRAM: "vscode" } };
    return { symptom: "knows no IDE", fault: /^ide: .*TERM_PROGRAM=vscode qwen/, next };
  },

  "the terminal's variables hold no token, and there is no file": async (fixture) => {
    const seed = await startSeed(fixture);
    const lock = join(fixture.sandbox.home, ".qwen", "ide", `${seed.port}.lock`);
    await rm(lock);
    const env = {
      QWEN_CODE_IDE_SERVER_PORT: String(seed.port),
      QWEN_CODE_IDE_WORKSPACE_PATH: fixture.sandbox.workspace,
    };
    return {
      ...inKnownTerminal(fixture, env),
      symptom: "does not connect",
      fault: /^connection: Restart the companion/,
      repair: () => put(fixture, seed.port, { authToken: seed.token }),
      next: "enable",
    };
  },

  "it is in its own default mode": async (fixture) => ({
    diffs: countDiffs(await startCompanion(fixture.sandbox)),
    settings: change(fixture, { tools: {} }),
    symptom: "writes unasked",
    fault: /^approval: Set "tools": \{ "approvalMode": "default" \}/,
  }),

  "a permission covers every change": async (fixture) => ({
    diffs: countDiffs(await startCompanion(fixture.sandbox)),
    settings: change(fixture, { permissions: { allow: ["Edit"] } }),
    symptom: "writes unasked",
    fault: /^approval: Take "Edit" out of permissions\.allow/,
  }),

  "companion and CLI have other homes": async ({ sandbox }) => {
    await startCompanion(sandbox);
    const other = join(sandbox.home, "elsewhere");
    // Its settings are there as well, or it would fail by them.
    await cp(join(sandbox.home, ".qwen"), other, { recursive: true });
    await rm(join(other, "ide"), { recursive: true });
    const fault = /^companion: Start the CLI without QWEN_HOME, as the companion was: env -u QWEN_HOME qwen/;
    return { env: { QWEN_HOME: other }, symptom: "knows no IDE", fault };
  },

  "a file of its user's gives it another home": async ({ sandbox }) => {
    await startCompanion(sandbox);
    const [usual, other] = [join(sandbox.home, ".qwen"), join(sandbox.home, "elsewhere")];
    await cp(usual, other, { recursive: true });
    await rm(join(other, "ide"), { recursive: true });
    const file = join(usual, ".env");
    await writeFile(file, `QWEN_HOME=${other}\n`);
    const fault = /^companion: Take QWEN_HOME out of .*\/\.qwen\/\.env\./;
    return { symptom: "knows no IDE", fault, repair: () => rm(file) };
  },
};
