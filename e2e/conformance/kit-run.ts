import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

/** The kit, as it is built. */
const kit = join(import.meta.dirname, "../../packages/conformance/dist");

/** What no companion of ours offers. */
export const notOffered = ["stdio-offer"];

/** In an editor to which no folder can be added. */
export const oneFolder = ["folders-change", "rewritten-whole"];

/** Milliseconds for a run on a busy machine. */
export const within = 900_000;

export interface Subject {
  readonly command: readonly string[];
  readonly hook: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whose contract is checked; that of Gemini CLI and Qwen Code when absent. */
  readonly agent?: string;
  /** The Node that runs the kit; that of the tests when absent. */
  readonly node?: string;
}

/** Our library as the whole of a process, with an editor without a user interface. @param node runs both */
export const ourLibrary = (node = process.execPath): Subject => ({
  command: [node, join(import.meta.dirname, "core.mjs")],
  hook: [node, join(kit, "testing", "editor-command.js")],
});

/** What the kit's report has of a check. */
interface Result {
  readonly check: string;
  readonly status: "passed" | "failed" | "not-run";
  readonly message?: string;
  readonly evidence: readonly string[];
}

/**
 * Checks a companion, every SHOULD included.
 * @returns the ids of what was not run, sorted
 * @throws Error whose first line names each check that has failed and why; its evidence follows
 */
export async function runKit(
  sandbox: Sandbox,
  { command, hook, env = {}, agent, node = process.execPath }: Subject,
): Promise<readonly string[]> {
  const report = sandbox.path("report.json");
  const quoted = hook.map((word) => `"${word}"`).join(" ");
  const args = [
    join(kit, "cli", "main.js"),
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...["--strict", "--patience", "6", "--json", report, "--editor-command", quoted],
    ...["--", ...command],
  ];
  const said = await new Promise<string>((resolve) => {
    const options = { cwd: sandbox.workspace, env: { ...sandbox.env, ...env }, maxBuffer: 10_000_000 };
    execFile(node, args, options, (error, stdout, stderr) => resolve(`${stdout}${stderr}${error ?? ""}`));
  });
  const text = await readFile(report, "utf8").catch(() => {
    throw new Error(`the kit has made no report: ${said}`);
  });
  const { results }: { results: readonly Result[] } = JSON.parse(text);
  const broken = results.filter(({ status }) => status === "failed");
  if (broken.length > 0)
    throw new Error(`${broken.map(toLine).join("; ")}\n${broken.map(toProof).join("\n")}`);
  const least = agent === undefined ? 100 : 20;
  if (!said.includes("The companion fulfils the contract.") || results.length < least) throw new Error(said);
  const notRun = results.filter(({ status }) => status === "not-run");
  return notRun.map(({ check }) => check).sort();
}

/** One line: the report of a whole test run shows no more of what a second try has repaired. */
const toLine = ({ check, message = "" }: Result) => `✗ ${check}: ${message.replaceAll(/\s+/g, " ")}`;

const toProof = ({ check, evidence }: Result) =>
  `✗ ${check}\n${evidence.map((line) => `    ${line}`).join("\n")}`;
