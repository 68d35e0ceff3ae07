import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { agents } from "../../../../agents.ts";
import { isAlive } from "../../../../target/process.ts";
import { isJson } from "../../../../wire/json-rpc.ts";
import { Broken, demand, demandNone, NotRun } from "../../../check.ts";
import {
  currentFiles,
  currentKinds,
  type DiscoveryFile,
  fileOf,
  readDiscoveryFiles,
} from "../../target/discovery-file.ts";
import type { Bench, Check } from "../means.ts";

/** One check for each kind of file that a CLI reads. */
export const requiredFiles: readonly Check[] = currentFiles.map(({ kind, agent, path, requirement = "" }) => {
  const { title, home } = agents[agent];
  const name = home ? path.replace("<home>", `<${home.variable} or ~/${home.folder}>`) : path;
  return {
    id: kind,
    title: `${title} finds ${name}`,
    requirements: [requirement],
    lane: "wire",
    needs: ["files"],
    async run({ target: { files, port } }) {
      demand(
        files.some((file) => file.kind === kind && file.port === port),
        `there is no ${name} for port ${port}; there are ${files.map((file) => file.path).join(", ")}`,
      );
    },
  };
});

export const fileContent: Check = {
  id: "file-content",
  title: "a discovery file has the fields that it needs, of the right types",
  requirements: ["D4"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const problems = target.files
      .filter(({ kind }) => currentKinds.includes(kind))
      .flatMap(({ path, content }) => {
        if (!content) return `${path} is no JSON object`;
        const { port, workspacePath, authToken, ideInfo } = content;
        const wrong = [
          ...(typeof port === "number" ? [] : [`port is ${JSON.stringify(port)}`]),
          ...(typeof workspacePath === "string" ? [] : [`workspacePath is ${JSON.stringify(workspacePath)}`]),
          ...(typeof authToken === "string" && authToken !== "" ? [] : ["authToken is missing"]),
          ...(isJson(ideInfo) && typeof ideInfo.name === "string" && typeof ideInfo.displayName === "string"
            ? []
            : [`ideInfo is ${JSON.stringify(ideInfo)}`]),
        ];
        return wrong.map((what) => `in ${path} ${what}`);
      });
    demandNone(problems);
  },
};

export const ideInfo: Check = {
  id: "ide-info",
  title: "the editor's names are an identifier and a name for people",
  requirements: ["D5"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const problems = target.files.flatMap(({ path, content }) => {
      const info = content?.ideInfo;
      if (!isJson(info)) return []; // another check reports it
      const { name, displayName } = info;
      return [
        ...(typeof name === "string" && /^[a-z][a-z0-9._-]{0,39}$/.test(name)
          ? []
          : [`in ${path} ideInfo.name is ${JSON.stringify(name)}, no short identifier in lower case`]),
        ...(typeof displayName === "string" && displayName.trim() !== ""
          ? []
          : [`in ${path} ideInfo.displayName is ${JSON.stringify(displayName)}`]),
      ];
    });
    demandNone(problems);
  },
};

export const editorPid: Check = {
  id: "editor-pid",
  title: "the process in a file's name lives",
  requirements: ["D8"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const dead = target.files.filter(({ pid }) => pid !== undefined && !isAlive(pid));
    demandNone(dead.map(({ path, pid }) => `${path} names the process ${pid}, which is dead`));
  },
};

export const lockPid: Check = {
  id: "lock-pid",
  title: "a lock file names a process that lives",
  requirements: ["D9"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    for (const { kind, agent, path, content } of target.files) {
      if (!fileOf(kind).fields?.includes("ppid")) continue;
      const ppid = content?.ppid;
      demand(
        typeof ppid === "number" && Number.isInteger(ppid),
        `in ${path} ppid is ${JSON.stringify(ppid)}`,
      );
      demand(
        isAlive(ppid),
        `in ${path} ppid is ${ppid}, which is dead: ${agents[agent].title} will delete the file`,
      );
    }
  },
};

export const lockName: Check = {
  id: "lock-name",
  title: "a lock file names the editor",
  requirements: ["D10"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    for (const { kind, path, content } of target.files) {
      if (!fileOf(kind).fields?.includes("ideName")) continue;
      const name = content?.ideName;
      demand(typeof name === "string" && name !== "", `in ${path} ideName is ${JSON.stringify(name)}`);
    }
  },
};

export const olderFiles: Check = {
  id: "older-files",
  title: "files under older names have the same port and token",
  requirements: ["D14"],
  lane: "wire",
  needs: ["files"],
  async run({ target, limits }) {
    // A companion may write them after those by which it was found.
    await delay(limits.quiet);
    const files = await readDiscoveryFiles(target.systemFolders);
    const older = files.filter(
      ({ kind, port, content }) =>
        !currentKinds.includes(kind) && [port, content?.port].includes(target.port),
    );
    if (older.length === 0) throw new NotRun("there are none");
    const problems = older.flatMap(({ path, agent, content }) => {
      const same = content?.port === target.port && content.authToken === target.tokens.get(agent);
      return same ? [] : [`${path} has another port or token`];
    });
    demandNone(problems);
  },
};

export const stdioOffer: Check = {
  id: "stdio-offer",
  title: "an offer of standard input and output is complete",
  requirements: ["D15"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const offers = target.files.filter(({ content }) => content?.stdio !== undefined);
    if (offers.length === 0) throw new NotRun("none is made");
    const problems = offers.flatMap(({ path, content }) => {
      const { command, args } = isJson(content?.stdio) ? content.stdio : {};
      const areWords = Array.isArray(args) && args.every((word) => typeof word === "string");
      return typeof command === "string" && command !== "" && areWords
        ? []
        : [`in ${path} stdio is ${JSON.stringify(content?.stdio)}, without a command and an array of args`];
    });
    demandNone(problems);
  },
};

/** Opens one more folder and waits until every discovery file names it. @returns these files */
async function openAnother(bench: Bench, name: string): Promise<readonly DiscoveryFile[]> {
  const { editor, target, path: pathOf, limits } = bench;
  const folder = pathOf(name);
  await mkdir(folder, { recursive: true });
  await editor.folder(folder);
  const deadline = performance.now() + limits.event;
  for (;;) {
    const files = (await readDiscoveryFiles(target.systemFolders)).filter(
      ({ content }) => content?.port === target.port,
    );
    const updated = files.filter(({ content }) =>
      String(content?.workspacePath).split(path.delimiter).includes(folder),
    );
    if (files.length > 0 && updated.length === files.length) return files;
    if (performance.now() > deadline) {
      throw new Broken(
        `after ${limits.event / 1000} s ${files.length - updated.length} of ${files.length} files do not have ${folder}`,
      );
    }
    await delay(50);
  }
}

export const foldersChange: Check = {
  id: "folders-change",
  title: "a folder that is opened appears in the files",
  requirements: ["D12"],
  lane: "editor",
  needs: ["editor-command", "files"],
  async run(bench) {
    await openAnother(bench, "another folder");
  },
};

export const rewrittenWhole: Check = {
  id: "rewritten-whole",
  title: "a discovery file that changes is replaced by another, not written to",
  requirements: ["S14"],
  lane: "editor",
  needs: ["editor-command", "files"],
  async run(bench) {
    const before = new Map<string, number>();
    for (const { path: file } of await readDiscoveryFiles(bench.target.systemFolders)) {
      before.set(file, (await stat(file)).ino);
    }
    const problems: string[] = [];
    for (const { path: file } of await openAnother(bench, "one more folder")) {
      const { ino } = await stat(file);
      if (before.get(file) === ino)
        problems.push(`${file} was written in place, where a CLI may read half of it`);
    }
    demandNone(problems);
  },
};
