import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { installInto } from "./installed.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, ".cache/versions");

/** What is tried with each version, in this order. */
const steps = ["connects", "context", "accepted"] as const;
export type SeenStep = (typeof steps)[number];

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
        note(
          tried,
          steps.map((step) => (has.includes(step) ? (seen.has(step) ? "yes" : "no") : "")),
        );
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
export const installVersion = (name: string, version: string): Promise<string> =>
  installInto(join(cache, `${name.split("/").at(-1)}-${version}`), name, version);

/** @returns the script of a package's only command */
export function scriptOf(own: string): string {
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(join(own, "package.json"), "utf8")));
  return join(own, typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""));
}

const page = join(root, "docs/reference/compatibility.md");

/**
 * Writes its row in the page: the difference from the commit says what is new.
 * @throws Error when the page has no row for it, which is added by hand
 */
function note({ program, version, role }: TriedVersion, cells: readonly string[]): void {
  const lines = readFileSync(page, "utf8").split("\n");
  const index = lines.findIndex((line) => line.startsWith(`| ${program} |`) && line.includes(`| ${role} |`));
  if (index < 0) throw new Error(`${page} has no row for the ${role} ${program}`);
  const day = new Date().toISOString().slice(0, 10);
  lines[index] = `| ${[program, version, role, ...cells, day].join(" | ")} |`;
  writeFileSync(page, lines.join("\n"));
}
