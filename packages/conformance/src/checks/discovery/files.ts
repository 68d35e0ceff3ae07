import { demand, demandNone, NotRun } from "../../assertions.ts";
import { currentKinds, type FileKind } from "../../target/discovery-file.ts";
import { isAlive } from "../../target/started-companion.ts";
import type { Target } from "../../target/target.ts";
import { isJson } from "../../wire/json-rpc.ts";
import type { Check } from "../check.ts";

const isCurrent = (kind: FileKind) => currentKinds.some((current) => current === kind);

function demandFile(target: Target, kind: FileKind, name: string): void {
  const names = target.files.map(({ path }) => path).join(", ");
  demand(
    target.files.some((file) => file.kind === kind && file.port === target.port),
    `there is no ${name} for port ${target.port}; there are ${names}`,
  );
}

export const geminiFile: Check = {
  id: "gemini-file",
  title: "Gemini CLI's file is where its specification says",
  requirements: ["D1"],
  lane: "wire",
  needs: ["files"],
  agent: "gemini",
  async run({ target }) {
    demandFile(target, "gemini", "<tmp>/gemini/ide/gemini-ide-server-<pid>-<port>.json");
  },
};

export const qwenFile: Check = {
  id: "qwen-file",
  title: "Qwen Code's file is where its specification says",
  requirements: ["D2"],
  lane: "wire",
  needs: ["files"],
  agent: "qwen",
  async run({ target }) {
    demandFile(target, "qwen", "<tmp>/qwen/ide/qwen-code-ide-server-<pid>-<port>.json");
  },
};

export const qwenLock: Check = {
  id: "qwen-lock",
  title: "Qwen Code's lock is where it looks",
  requirements: ["D3"],
  lane: "wire",
  needs: ["files"],
  agent: "qwen",
  async run({ target }) {
    demandFile(target, "qwen-lock", "<QWEN_HOME or ~/.qwen>/ide/<port>.lock");
  },
};

export const fileContent: Check = {
  id: "file-content",
  title: "a discovery file has the fields that it needs, of the right types",
  requirements: ["D4"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const problems = target.files
      .filter(({ kind }) => isCurrent(kind))
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
      if (!isJson(info)) return []; // told by another check
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
  title: "Qwen Code's lock names a process that lives",
  requirements: ["D9"],
  lane: "wire",
  needs: ["files"],
  agent: "qwen",
  async run({ target }) {
    for (const { kind, path, content } of target.files) {
      if (kind !== "qwen-lock") continue;
      const ppid = content?.ppid;
      demand(
        typeof ppid === "number" && Number.isInteger(ppid),
        `in ${path} ppid is ${JSON.stringify(ppid)}`,
      );
      demand(isAlive(ppid), `in ${path} ppid is ${ppid}, which is dead: Qwen Code will delete the file`);
    }
  },
};

export const lockName: Check = {
  id: "lock-name",
  title: "Qwen Code's lock names the editor",
  requirements: ["D10"],
  lane: "wire",
  needs: ["files"],
  agent: "qwen",
  async run({ target }) {
    const lock = target.files.find(({ kind }) => kind === "qwen-lock");
    const name = lock?.content?.ideName;
    demand(typeof name === "string" && name !== "", `ideName is ${JSON.stringify(name)}`);
  },
};

export const olderFiles: Check = {
  id: "older-files",
  title: "files under older names say the same",
  requirements: ["D14"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const older = target.files.filter(({ kind }) => !isCurrent(kind));
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
