import { existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { agents as allAgents } from "../../../../agents.ts";
import { demand, demandNone, NotRun } from "../../../check.ts";
import type { Check } from "../means.ts";

export const leadsHere: Check = {
  id: "leads-here",
  title: "port and token of a discovery file open the server",
  requirements: ["D6"],
  lane: "wire",
  needs: ["files"],
  async run({ wire, target, note }) {
    const problems: string[] = [];
    for (const { path: file, port, content = {} } of target.files) {
      if (port !== undefined && port !== content.port) {
        problems.push(`${file} has the port ${content.port} inside and ${port} in its name`);
      }
      const headers = { ...wire.headers(), authorization: `Bearer ${content.authToken}` };
      const params = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
      const { status } = await wire.send({ headers, body });
      note(`With the token of ${file}: ${status}`);
      if (status !== 200) problems.push(`with the token of ${file}, initialize was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const workspacePath: Check = {
  id: "workspace-path",
  title: "workspacePath holds absolute folders that exist",
  requirements: ["D7"],
  lane: "wire",
  needs: ["files"],
  async run({ target }) {
    const problems = target.files.flatMap(({ path: file, content }) => {
      const text = content?.workspacePath;
      if (typeof text !== "string" || text === "") return [];
      return text
        .split(path.delimiter)
        .filter((root) => !path.isAbsolute(root) || !existsSync(root) || !statSync(root).isDirectory())
        .map((root) => `in ${file} ${JSON.stringify(root)} is not the absolute path of a folder`);
    });
    demandNone(problems);
  },
};

export const ownWorkspace: Check = {
  id: "own-workspace",
  title: "workspacePath holds the folder that the companion was started in",
  requirements: ["D7"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { target, sandbox } = (await parallel.first()).companion;
    const roots = await Promise.all(target.roots.map((root) => realpath(root)));
    demand(
      roots.includes(sandbox.workspace),
      `it was started in ${sandbox.workspace}; workspacePath has ${target.roots.join(", ") || "nothing"}`,
    );
  },
};

export const terminalVariables: Check = {
  id: "terminal-variables",
  title: "a terminal of the editor has port and folders in its variables",
  requirements: ["D11"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ editor, agents, target }) {
    const environment = await editor.environment();
    const problems = agents.flatMap((agent) => {
      const { variablePrefix } = allAgents[agent];
      const [port, folders] = [`${variablePrefix}SERVER_PORT`, `${variablePrefix}WORKSPACE_PATH`];
      return [
        ...(environment.get(port) === String(target.port)
          ? []
          : [`${port} is ${environment.get(port) ?? "not set"}, not ${target.port}`]),
        ...(environment.has(folders) ? [] : [`${folders} is not set`]),
      ];
    });
    demandNone(problems);
  },
};

export const terminalSecrets: Check = {
  id: "terminal-secrets",
  title: "token and process id in a terminal of the editor are those of the file",
  requirements: ["D17"],
  lane: "editor",
  needs: ["editor-command", "files"],
  async run({ editor, target, agents }) {
    const environment = await editor.environment();
    let isAnySet = false;
    const problems: string[] = [];
    for (const agent of agents.filter((name) => allAgents[name].hasTerminalSecrets)) {
      const { variablePrefix } = allAgents[agent];
      const [token, pid] = ["AUTH_TOKEN", "PID"].map((name) => environment.get(`${variablePrefix}${name}`));
      isAnySet ||= token !== undefined || pid !== undefined;
      const pids = target.files.flatMap((file) =>
        file.agent === agent && file.pid !== undefined ? String(file.pid) : [],
      );
      if (token !== undefined && token !== target.tokens.get(agent))
        problems.push(`${variablePrefix}AUTH_TOKEN is not the token of the file`);
      if (pid !== undefined && !pids.includes(pid))
        problems.push(`${variablePrefix}PID is ${pid}, the file's name has ${pids.join(", ")}`);
    }
    if (!isAnySet) throw new NotRun("neither is set");
    demandNone(problems);
  },
};

export const twoCompanions: Check = {
  id: "two-companions",
  title: "two companions in one folder do not disturb each other",
  requirements: ["D16"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const second = await parallel.second();
    demandNone(second.lost.map((file) => `when the second one started, ${file} of the first one went away`));
    demand(second.files.length > 0, "the second one has no files");
    demand(second.firstServes, "the first one no longer serves its CLI");
    const { lost } = await parallel.terminated();
    demandNone(lost.map((file) => `when the second one ended, ${file} of the first one went away`));
  },
};
