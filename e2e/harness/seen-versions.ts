import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { installInto } from "./installed.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const cache = join(root, ".cache/versions");

/** What is tried with each version, in this order. */
const steps = ["connects", "context", "accepted"] as const;
export type SeenStep = (typeof steps)[number];

/** One version of a program, and what was seen of it. */
interface SeenVersion extends Readonly<Record<SeenStep, string>> {
  readonly program: string;
  /** `newest` and `oldest` stand for other versions with time. */
  readonly role: string;
  readonly version: string;
  /** The day, as in `2026-11-25`. */
  readonly day: string;
}

/** A program in one of its versions, tried as its user would: it connects, has the context, and a change is accepted. */
export interface TriedVersion {
  readonly program: string;
  readonly role: "newest" | "oldest";
  readonly version: string;
  /** Which of the steps it has. */
  readonly has?: readonly SeenStep[];
  /** @param saw is called after each step that was seen */
  run(sandbox: Sandbox, saw: (step: SeenStep) => void): Promise<void>;
}

/** A test of one version, which notes in docs/reference/compatibility.md what it has seen, also when it fails. */
export function versionScenario(tried: TriedVersion, options: ScenarioOptions = {}): void {
  const { program, role, version, has = steps } = tried;
  const sentence = `${program} ${version}, the ${role} one, does all of this: ${has.join(", ")}`;
  scenario(
    sentence,
    async (sandbox) => {
      const seen = new Set<SeenStep>();
      try {
        await tried.run(sandbox, (step) => seen.add(step));
      } finally {
        const cell = (step: SeenStep) => (has.includes(step) ? (seen.has(step) ? "yes" : "no") : "");
        const day = new Date().toISOString().slice(0, 10);
        const cells = { connects: cell("connects"), context: cell("context"), accepted: cell("accepted") };
        note({ program, role, version, day, ...cells });
      }
    },
    options,
  );
}

/**
 * The newest version of an npm package.
 * @param otherwise the version where no registry answers
 */
export async function newestOf(name: string, otherwise: string): Promise<string> {
  const { stdout } = await run("npm", ["view", name, "version"]).catch(() => ({ stdout: otherwise }));
  return stdout.trim();
}

/** Installs a package where nothing else is, and once. @returns its folder */
export async function installVersion(name: string, version: string): Promise<string> {
  const folder = join(cache, `${name.split("/").at(-1)}-${version}`);
  const own = join(folder, "node_modules", name);
  await installInto(folder, `${name}@${version}`);
  return own;
}

/** @returns the script of a package's only command */
export function scriptOf(own: string): string {
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(join(own, "package.json"), "utf8")));
  return join(own, typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""));
}

const page = join(root, "docs/reference/compatibility.md");
const [begin, end] = ["<!-- written by npm run test:matrix -- versions -->", "<!-- end -->"];
const header = [
  "| | version | | connects | context | a change accepted | run on |",
  "|---|---|---|---|---|---|---|",
];

/** Writes one row into the page: its difference from the commit says what is new. */
function note(seen: SeenVersion): void {
  const [before, section, after] = cutOut(readFileSync(page, "utf8"));
  const rows = withVersion(parseRows(section), seen);
  writeFileSync(page, [before, "", ...header, ...rows.map(toRow), "", after].join("\n"));
}

/** The page up to the table, the table, and the rest. */
function cutOut(text: string): [before: string, section: string, after: string] {
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) return [text, "", ""];
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

/** A program's newest version stands before its oldest one. */
function withVersion(rows: readonly SeenVersion[], seen: SeenVersion): readonly SeenVersion[] {
  const others = rows.filter(({ program, role }) => program !== seen.program || role !== seen.role);
  const programs = [...new Set([...rows, seen].map(({ program }) => program))];
  const place = ({ program, role }: SeenVersion) =>
    2 * programs.indexOf(program) + (role === "newest" ? 0 : 1);
  return [...others, seen].toSorted((one, other) => place(one) - place(other));
}

const toRow = ({ program, version, role, connects, context, accepted, day }: SeenVersion) =>
  `| ${[program, version, role, connects, context, accepted, day].join(" | ")} |`;

function parseRows(section: string): readonly SeenVersion[] {
  const lines = section.split("\n").filter((line) => line.startsWith("| ") && !header.includes(line));
  return lines.map((line) => {
    const [, program = "", version = "", role = "", ...cells] = line.split("|").map((cell) => cell.trim());
    const [connects = "", context = "", accepted = "", day = ""] = cells;
    return { program, version, role, connects, context, accepted, day };
  });
}
