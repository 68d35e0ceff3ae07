import { existsSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, TomlError } from "smol-toml";
import { holds } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import { ownUid } from "../../system/private-file.ts";
import type { Agent, AgentCli } from "../agent.ts";
import { findLive } from "../discovery/find-companions.ts";
import type { Answer, CompanionRecord, Place } from "../doctor/checked-cli.ts";
import { type Finding, failed, note, ok } from "../doctor/finding.ts";
import { codexHome } from "../homes.ts";
import { ownId } from "./messages.ts";
import { askForContext } from "./question.ts";
import { isServedBy, startRelay } from "./relay.ts";
import { codexSockets } from "./sockets.ts";

/**
 * What Codex CLI does on its side, as seen with the program itself.
 * @see docs/reference/codex-cli.md
 */
export const codexCli: AgentCli = {
  packageName: "@openai/codex",
  knownVersion: "0.171.0",
  oldestVersion: "0.169.0",
  variables: ["CODEX_HOME", "TMPDIR"],
  folderVariables: ["CODEX_HOME"],
  checkSettings: ({ host }) => ({
    settings: checkConfig(path.join(codexHome(host), "config.toml")),
    "ide-mode": note("it is off at every start: type /ide in Codex CLI, in every run"),
    approval: note("edits are decided on in the terminal", "`codex exec` asks for no context"),
  }),
  findRecords: findCodexRecords,
  startRelay,
  isServedBy,
};

/** With a damaged one it does not start. */
function checkConfig(file: string): Finding {
  if (!existsSync(file)) return ok("no settings file: all defaults");
  try {
    parse(readFileSync(file, "utf8"));
    return ok(`${file}: read`);
  } catch (error) {
    const [fault = ""] = messageOf(error).split("\n");
    const place = error instanceof TomlError ? `, line ${error.line}` : "";
    return failed(`Fix ${file}${place}.`, `${file}${place}: ${fault}`, "it does not start with this");
  }
}

/** Its one socket says nothing of companions: those of the folder are found by the files of other agents. */
async function findCodexRecords(place: Place, all: readonly Agent[]): Promise<readonly CompanionRecord[]> {
  const { host, folder, platform } = place;
  const companion = (await findLive(host, all)).find(({ roots }) => holds(roots, folder));
  const { current, former } = codexSockets(host, ownUid(), platform);
  const judged = [...new Set([current, former])].map((address) => ({
    address,
    fault: whyRefused(address, platform),
  }));
  const { address, fault } = judged.find((one) => one.fault === undefined) ??
    judged[0] ?? { address: current };
  const remedy = companion && "Restart the companion with the CODEX_HOME of this terminal.";
  const answer = { remedy, ...(fault ?? (await askAt(address, folder))) };
  const record = { source: address, isFile: false, ask: async () => answer };
  if (companion === undefined && answer.kind !== "taken") return [{ ...record, fault: answer.evidence }];
  const { pid, serverPid, ide } = companion ?? {};
  return [{ ...record, ide: ide?.displayName, roots: [folder], pid, serverPid }];
}

const nowhere = (evidence: string, remedy?: string): Answer => ({
  ...{ kind: "nowhere", evidence },
  ...(remedy !== undefined && { remedy }),
});

/** Why the CLI passes a socket over: only its user may be able to put one there. */
function whyRefused(address: string, platform: NodeJS.Platform): Answer | undefined {
  if (platform === "win32") return undefined;
  for (const place of [path.dirname(address), address]) {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    const own = ownUid();
    if (stats === undefined) return nowhere(`there is no ${place}`);
    if (stats.uid !== own) {
      const evidence = `${place} belongs to user ${stats.uid}, and you are user ${own}`;
      return nowhere(evidence, `Have ${place} removed, or set CODEX_HOME to a folder of yours.`);
    }
    const isRight = place === address ? stats.isSocket() : stats.isDirectory();
    if (!isRight) {
      const evidence = `${place} is no ${place === address ? "socket" : "folder"}`;
      return nowhere(evidence, `Remove ${place}, and restart the companion.`);
    }
    if (place !== address && stats.mode & 0o022) {
      const evidence = `others may write to ${place}: its mode is ${(stats.mode & 0o777).toString(8)}`;
      return nowhere(evidence, `chmod 700 ${place}`);
    }
  }
  return undefined;
}

async function askAt(address: string, folder: string): Promise<Answer> {
  const answer = await askForContext(address, folder, ownId);
  switch (answer.kind) {
    case "context": {
      const time = `after ${Math.round(answer.milliseconds)} ms`;
      return { kind: "taken", evidence: `${address} answers with the context of this folder, ${time}` };
    }
    case "unreachable":
      return nowhere(answer.reason);
    case "silent": {
      const remedy = `Restart the program that listens on ${address}: an editor, or Codex's own app.`;
      return { kind: "silent", evidence: `the program that listens on ${address} says nothing`, remedy };
    }
    case "refused": {
      const who = "the program that listens, which may be another editor or Codex's own app";
      return nowhere(`${answer.error}: ${who}, knows nobody for this folder`);
    }
  }
}
