import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parse, stringify, type TomlTable } from "smol-toml";
import { z } from "zod";
import { namesIn } from "../system/disk.ts";
import { type Edit, putIn, takeOut } from "./set-up/edits/edit.ts";
import { firstSteps, InstallError, type Machine, type MakePlan, requireCommand } from "./set-up/plan.ts";
import { editText, manuallySetUp, readText } from "./set-up/text-file.ts";

/** A server's name, or a table that begins with it. */
const Server = z.union([z.string(), z.looseObject({ name: z.string() })]);
type Server = z.infer<typeof Server>;

/** What matters here of the user's own file. */
const Own = z.looseObject({
  "language-server": z.record(z.string(), z.unknown()).optional(),
  language: z
    .array(z.looseObject({ name: z.string(), "language-servers": z.array(Server).optional() }))
    .optional(),
});

const ours = "ide-companion";
const comment = "#";

/**
 * Helix has no server for all languages: ours is added to each one that it knows. A list of the user's takes the place of
 * Helix's own, so that it names the servers that Helix would ask as well.
 */
export const planHelix: MakePlan = async (machine) => {
  requireCommand(machine);
  const { roaming, join } = machine.userFolders;
  const file = join(roaming, "helix", "languages.toml");
  const text = readText(file) ?? "";
  const own = read(file, () => takeOut({ kind: "block", comment, lines: [] }, text, text) ?? "");
  if (own["language-server"]?.[ours]) return manuallySetUp;
  const known = await findLanguages(machine);
  const servers = new Map<string, readonly Server[]>();
  for (const [name, list] of known)
    servers.set(
      name,
      list.map((server) => withExceptions(name, server)),
    );
  for (const { name, "language-servers": list } of own.language ?? []) {
    servers.set(name, list ?? servers.get(name) ?? []);
  }
  const isTextKnown = servers.has("text") && own.language?.some(({ name }) => name === "text");
  if (!isTextKnown) servers.delete("text");
  const languages = [
    ...(isTextKnown ? [] : [plainText]),
    ...[...servers].map(([name, list]) => ({ name, "language-servers": [...list.filter(isOther), ours] })),
  ];
  const block = { "language-server": { [ours]: { command: ours, args: ["lsp"] } }, language: languages };
  const lines = stringify(block).trimEnd().split("\n");
  const edit: Edit = { kind: "block", comment, lines };
  read(file, () => putIn(edit, text));
  const count = languages.length;
  const next =
    known.size > 0
      ? `It serves the ${count} languages that Helix knows here. Install it again after an update of Helix.`
      : `hx was not found: it serves ${languages.map(({ name }) => name).join(", ")}. Install it again once there is a Helix.`;
  return { parts: [{ kind: "file", path: file, edit }], next: [...firstSteps("Helix", machine), next] };
};

/**
 * Every language that Helix knows on this machine, each with the servers that Helix would ask.
 * @returns in Helix's order; none where there is no Helix
 */
async function findLanguages(machine: Machine): Promise<ReadonlyMap<string, readonly string[]>> {
  const program = machine.find("hx") ?? machine.find("helix");
  if (program === undefined) return new Map();
  const health = async (...about: readonly string[]) =>
    stripVTControlCharacters(await machine.run(program, ["--health", ...about]));
  const overview = await health();
  const names = parseLanguages(overview).flatMap((name) => complete(name, overview));
  const found = new Map<string, readonly string[]>();
  for (let index = 0; index < names.length; index += atOnce) {
    const some = names.slice(index, index + atOnce);
    const details = await Promise.all(some.map((name) => health(name)));
    for (const [place, name] of some.entries()) {
      const servers = parseServers(details[place] ?? "");
      // A name that Helix does not know would make the whole file invalid.
      if (servers) found.set(name, servers);
    }
  }
  return found;
}

/**
 * The languages of the table. Long names end with an ellipsis.
 * @param overview what `hx --health` prints
 */
export function parseLanguages(overview: string): readonly string[] {
  const lines = overview.split(/\r?\n/);
  const first = lines.findIndex((line) => line.startsWith("Language "));
  // Further servers of the same language stand in separate lines.
  return first < 0 ? [] : lines.slice(first + 1).flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
}

/**
 * @param details what `hx --health LANGUAGE` prints, without colours
 * @returns the names of its servers, in their order; undefined when there is no such language
 */
export function parseServers(details: string): readonly string[] | undefined {
  if (/^Configured language servers: None$/m.test(details)) return [];
  const [, list] = /^Configured language servers:\r?\n((?: +[✓✘] .*\r?\n?)*)/m.exec(details) ?? [];
  return list === undefined
    ? undefined
    : [...list.matchAll(/^ +[✓✘] ([^:\n]+):/gm)].map(([, name = ""]) => name);
}

/** Helix has no language for it; and a file of no language has no server. */
const plainText = {
  name: "text",
  scope: "text.plain",
  "file-types": [
    "txt",
    ...["README", "LICENSE", "NOTICE", "COPYING", "AUTHORS", "CHANGELOG", "TODO"].map((glob) => ({ glob })),
  ],
  "language-servers": [ours],
};

/** What Helix 25.01 does not ask a server for; `hx --health` tells the names alone. */
const exceptions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  pkgbuild: { "bash-language-server": ["diagnostics"] },
  gjs: { "typescript-language-server": ["format", "diagnostics"] },
  gts: { "typescript-language-server": ["format", "diagnostics"] },
};

function withExceptions(language: string, name: string): Server {
  const features = exceptions[language]?.[name];
  return features ? { name, "except-features": features } : name;
}

const isOther = (server: Server) => (typeof server === "string" ? server : server.name) !== ours;

/** @throws InstallError when it is no TOML, or not what Helix takes */
function read(file: string, edit: () => string): z.infer<typeof Own> {
  const table: TomlTable = editText(file, () => parse(edit().replace("\uFEFF", "")));
  const own = Own.safeParse(table);
  if (own.success) return own.data;
  const [issue] = own.error.issues;
  throw new InstallError(`${file} cannot be changed: ${issue?.path.join(".")} is not what Helix takes`);
}

/** How many questions Helix answers at once. */
const atOnce = 8;

/** All languages that a name may stand for; Helix has a folder of queries for each that it knows. */
function complete(name: string, overview: string): readonly string[] {
  if (!name.endsWith("…")) return [name];
  const folders = /^Runtime directories: (.+)$/m.exec(overview)?.[1]?.split(";") ?? [];
  const known = folders.flatMap((folder) => namesIn(path.join(folder.trim(), "queries")));
  return [...new Set(known)].filter((each) => each.startsWith(name.slice(0, -1))).sort();
}
