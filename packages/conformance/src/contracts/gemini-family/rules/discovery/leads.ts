import { existsSync, rmSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { agents as allAgents } from "../../../../agents.ts";
import { byParallel, byUser, demand, demandNone, NotRun, quote, unless } from "../../../check.ts";
import { code, recommended, specification } from "../../../requirement.ts";
import { fields } from "../../faults.ts";
import { currentKinds, folderOf } from "../../target/discovery-file.ts";
import type { FamilyGroup } from "../means.ts";

export const leadsRules: FamilyGroup = {
  D6: {
    MUST: "`port` and the port in the file's name are the port of the server, and it accepts `authToken`.",
    sources: specification("I.2", "The file gives the CLI the port to use and the token to send."),
    check: "leads-here",
    needs: ["files"],
    async run({ newCli, target }) {
      const problems: string[] = [];
      for (const { path: file, port, content = {} } of target.files) {
        if (port !== undefined && port !== content.port) {
          problems.push(`${file} has the port ${content.port} inside and ${port} in its name`);
        }
        const session = newCli();
        const headers = { ...session.headers, authorization: `Bearer ${content.authToken}` };
        const clientInfo = { name: "x", version: "1" };
        const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
        const { status } = await session.send({ headers, body });
        if (status !== 200) problems.push(`with the token of ${file}, initialize was answered ${status}`);
      }
      demandNone(problems);
    },
    fault: {
      // A file of an earlier start is left unchanged.
      lock: fields({ authToken: "the-token-of-yesterday" }, /^qwen-code-ide-server-\d+-\d+\.json/),
      says: /with the token of .*qwen-code-ide-server.*, initialize was answered 401/,
    },
  },
  D7: {
    MUST: "`workspacePath` holds the absolute paths of all open folders, joined by the system's path delimiter.",
    sources: [
      specification(
        "I.2",
        "The companion MUST provide the right absolute paths; a CLI elsewhere is refused.",
      ),
      code("The CLI resolves symbolic links on both sides before it compares."),
    ],
    check: "workspace-path",
    needs: ["files"],
    async run({ target }) {
      const problems = target.files.flatMap(({ path: file, content }) => {
        const text = content?.workspacePath;
        if (typeof text !== "string" || text === "") return [];
        return text
          .split(path.delimiter)
          .filter((root) => !path.isAbsolute(root) || !existsSync(root) || !statSync(root).isDirectory())
          .map((root) => `in ${file} ${quote(root)} is not the absolute path of a folder`);
      });
      demandNone(problems);
    },
    fault: {
      lock: fields({ workspacePath: "src" }),
      says: /"src" is not the absolute path of a folder/,
    },
    more: [
      {
        check: "own-workspace",
        title: "workspacePath holds the folder that the companion was started in",
        ...byParallel,
        async run({ parallel }) {
          const { target, sandbox } = (await parallel.first()).companion;
          const roots = await Promise.all(target.roots.map((root) => realpath(root)));
          demand(
            roots.includes(sandbox.workspace),
            `it was started in ${sandbox.workspace}; workspacePath has ${target.roots.join(", ") || "nothing"}`,
          );
        },
        fault: {
          lock: fields({ workspacePath: path.parse(process.cwd()).root }),
          says: /workspacePath has \//,
        },
      },
    ],
  },
  D11: {
    SHOULD:
      "Terminals of the editor have the port and the folders in `GEMINI_CLI_IDE_SERVER_PORT` and `GEMINI_CLI_IDE_WORKSPACE_PATH`, or `QWEN_CODE_IDE_SERVER_PORT` and `QWEN_CODE_IDE_WORKSPACE_PATH`.",
    sources: [
      specification("I.2", "The companion SHOULD provide both, file and variables."),
      code("They decide when several editors have the same folder open."),
    ],
    check: "terminal-variables",
    ...byUser,
    async run({ editor, agents, target }) {
      const environment = await editor.environment();
      const problems = agents.flatMap((agent) => {
        const { variablePrefix } = allAgents[agent];
        const [port, folders] = [`${variablePrefix}SERVER_PORT`, `${variablePrefix}WORKSPACE_PATH`];
        return [
          ...unless(
            environment.get(port) === String(target.port),
            `${port} is ${environment.get(port) ?? "not set"}, not ${target.port}`,
          ),
          ...unless(environment.has(folders), `${folders} is not set`),
        ];
      });
      demandNone(problems);
    },
    fault: { environment: () => ({}), says: /GEMINI_CLI_IDE_SERVER_PORT is not set/ },
  },
  D16: {
    SHOULD: "Two companions in one folder have different files, and both serve.",
    sources: recommended("Two windows on one project are common."),
    check: "two-companions",
    ...byParallel,
    async run({ parallel }) {
      const second = await parallel.second();
      demandNone(
        second.lost.map((file) => `when the second one started, ${file} of the first one went away`),
      );
      demand(second.files.length > 0, "the second one has no files");
      demand(second.firstServes, "the first one no longer serves its CLI");
      const { lost } = await parallel.terminated();
      demandNone(lost.map((file) => `when the second one ended, ${file} of the first one went away`));
    },
    fault: {
      // The last one to start assumes that it is the only one.
      prepare(systemFolders) {
        for (const kind of currentKinds)
          rmSync(folderOf(kind, systemFolders), { recursive: true, force: true });
      },
      says: /when the second one started, .* of the first one went away/,
    },
  },
  D17: {
    agent: "gemini",
    MAY: "Terminals of the editor have its token in `GEMINI_CLI_IDE_AUTH_TOKEN` and its process id in `GEMINI_CLI_IDE_PID`; both are then those of the discovery file.",
    sources: code(
      "With the token a CLI connects without the file; by the process id it finds the file in a terminal multiplexer.",
    ),
    check: "terminal-secrets",
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
    fault: {
      // A terminal that was opened before the companion was restarted.
      environment: (variables) => ({ ...variables, GEMINI_CLI_IDE_AUTH_TOKEN: "the-token-of-yesterday" }),
      says: /GEMINI_CLI_IDE_AUTH_TOKEN is not the token of the file/,
    },
  },
};
