import { mkdir } from "node:fs/promises";
import path from "node:path";
import { agents } from "../../../../agents.ts";
import { isAlive } from "../../../../target/machine.ts";
import { until } from "../../../../until.ts";
import { isJson } from "../../../../wire/json-rpc.ts";
import { Broken, demand, demandNone, quote } from "../../../check.ts";
import { isName, isNumber, isText, problemsOfFields } from "../../../fields.ts";
import { code, observed, specification } from "../../../requirement.ts";
import { fields } from "../../faults.ts";
import { currentKinds, type DiscoveryFile, fileOf, readDiscoveryFiles } from "../../target/discovery-file.ts";
import type { Bench, FamilyGroup } from "../means.ts";

/** Opens one more folder and waits until every discovery file names it. @returns these files */
export async function openAnother(bench: Bench, name: string): Promise<readonly DiscoveryFile[]> {
  const { editor, target, path: pathOf, limits } = bench;
  const folder = pathOf(name);
  await mkdir(folder, { recursive: true });
  await editor.folder(folder);
  let late = "";
  const look = async () => {
    const all = await readDiscoveryFiles(target.systemFolders);
    const files = all.filter(({ content }) => content?.port === target.port);
    const updated = files.filter(({ content }) =>
      String(content?.workspacePath).split(path.delimiter).includes(folder),
    );
    late = `${files.length - updated.length} of ${files.length}`;
    return files.length > 0 && updated.length === files.length && files;
  };
  const files = await until(look, limits.event, 50);
  if (!files) throw new Broken(`after ${limits.event / 1000} s ${late} files do not have ${folder}`);
  return files;
}

/** A process id that no process has: above every system's limit. */
const deadPid = 2_000_000_000;

/** Whether files of its kind have a field. */
const holds =
  (field: "ppid" | "ideName") =>
  ({ kind }: DiscoveryFile): boolean =>
    fileOf(kind).fields?.includes(field) ?? false;

export const discoveryFilesRules: FamilyGroup = {
  D4: {
    MUST: "A discovery file is a JSON object with `port` (a number), `workspacePath`, `authToken` (strings) and `ideInfo` with `name` and `displayName`.",
    sources: [
      specification("I.2", "The file MUST hold an object of this structure."),
      observed("`ideInfo` lets both CLIs connect in terminals outside the editor."),
    ],
    check: "file-content",
    needs: ["files"],
    async run({ target }) {
      const problems = target.files
        .filter(({ kind }) => currentKinds.includes(kind))
        .flatMap(({ path, content }) => {
          if (!content) return `${path} is no JSON object`;
          return problemsOfFields(content, {
            port: isNumber,
            workspacePath: isText,
            authToken: isName,
            ideInfo: (info) => isJson(info) && isText(info.name) && isText(info.displayName),
          }).map((what) => `in ${path} ${what}`);
        });
      demandNone(problems);
    },
    fault: { lock: fields({ ideInfo: undefined }), says: /ideInfo is undefined/ },
  },
  D5: {
    SHOULD: "`ideInfo.name` is a short identifier in lower case, `ideInfo.displayName` a name for people.",
    sources: [
      specification("I.2", "Both are described like this."),
      observed("`/ide status` shows the second."),
    ],
    check: "ide-info",
    needs: ["files"],
    async run({ target }) {
      const problems = target.files.flatMap(({ path, content }) => {
        const info = content?.ideInfo;
        if (!isJson(info)) return []; // another check reports it
        return problemsOfFields(info, {
          name: (name) => /^[a-z][a-z0-9._-]{0,39}$/.test(String(name)),
          displayName: (name) => isText(name) && String(name).trim() !== "",
        }).map((what) => `in ${path} ideInfo.${what}`);
      });
      demandNone(problems);
    },
    fault: {
      lock: fields({ ideInfo: { name: "My Editor", displayName: "My Editor" } }),
      says: /ideInfo.name is "My Editor"/,
    },
  },
  D8: {
    MUST: "The process id in a file's name is that of a running process: the editor.",
    sources: specification(
      "I.2",
      "The name MUST hold the id of the IDE's process, by which the CLI finds it.",
    ),
    check: "editor-pid",
    needs: ["files"],
    async run({ target }) {
      const dead = target.files.filter(({ pid }) => pid !== undefined && !isAlive(pid));
      demandNone(dead.map(({ path, pid }) => `${path} names the process ${pid}, which is dead`));
    },
    fault: {
      fileName: (name) => name.replace(/(?<=^gemini-ide-server-)\d+/, String(deadPid)),
      says: /names the process 2000000000, which is dead/,
    },
  },
  D9: {
    agent: "qwen",
    MUST: "The lock names a running process in `ppid`.",
    sources: observed(
      "Qwen Code deletes a lock whose `ppid` is dead, and one with several folders that has none.",
    ),
    check: "lock-pid",
    needs: ["files"],
    async run({ target }) {
      for (const { agent, path, content } of target.files.filter(holds("ppid"))) {
        const ppid = content?.ppid;
        demand(typeof ppid === "number" && Number.isInteger(ppid), `in ${path} ppid is ${quote(ppid)}`);
        const { title } = agents[agent];
        demand(isAlive(ppid), `in ${path} ppid is ${ppid}, which is dead: ${title} will delete the file`);
      }
    },
    fault: { lock: fields({ ppid: deadPid }), says: /ppid is 2000000000, which is dead/ },
  },
  D10: {
    agent: "qwen",
    SHOULD: "The lock has an `ideName`.",
    sources: observed("Qwen Code's own companion writes it."),
    check: "lock-name",
    needs: ["files"],
    async run({ target }) {
      for (const { path, content = {} } of target.files.filter(holds("ideName")))
        demandNone(problemsOfFields(content, { ideName: isName }).map((what) => `in ${path} ${what}`));
    },
    fault: { lock: fields({ ideName: undefined }), says: /ideName is undefined/ },
  },
  D12: {
    SHOULD: "When a folder is opened or closed, the files are rewritten.",
    sources: specification("I.2", "`workspacePath` lists all the folders that are open."),
    check: "folders-change",
    lane: "editor",
    needs: ["editor-command", "files"],
    async run(bench) {
      await openAnother(bench, "another folder");
    },
    fault: { lock: (_, first) => first, says: /of 3 files do not have/ },
  },
  D13: {
    SHOULD: "When no folder is open, `workspacePath` is the empty string.",
    sources: code("The CLI then reports that no folder is open, and not that the companion is missing."),
    unchecked: "It takes an editor that is started without a folder.",
  },
};
