import { describe, expect, test } from "vitest";
import type { Host } from "../../system/host.ts";
import type { Address } from "../agent.ts";
import { toTerminalEnv } from "../discovery/announced.ts";
import { geminiFamilyAgents as agents } from "./agents.ts";
import { gemini } from "./gemini/agent.ts";
import { qwen } from "./qwen/agent.ts";

const address: Address = {
  port: 41_234,
  token: "a-token",
  roots: ["/home/ada/one", "/home/ada/two"],
  ide: { name: "neovim", displayName: "Neovim" },
  pid: 700,
  serverPid: 701,
};
const host: Host = { tmp: "/tmp", home: "/home/ada", env: {}, delimiter: ":" };

describe("Gemini CLI", () => {
  test("has the documented discovery file and nothing else", () => {
    expect(gemini.discoveryFiles(address, host)).toEqual([
      {
        path: "/tmp/gemini/ide/gemini-ide-server-700-41234.json",
        folders: ["/tmp/gemini", "/tmp/gemini/ide"],
        content: {
          port: 41_234,
          workspacePath: "/home/ada/one:/home/ada/two",
          authToken: "a-token",
          ideInfo: { name: "neovim", displayName: "Neovim" },
          serverPid: 701,
        },
      },
    ]);
  });

  test("receives port, roots, token and process by its terminal's variables", () => {
    expect(toTerminalEnv(gemini, address, host)).toEqual({
      GEMINI_CLI_IDE_SERVER_PORT: "41234",
      GEMINI_CLI_IDE_WORKSPACE_PATH: "/home/ada/one:/home/ada/two",
      GEMINI_CLI_IDE_AUTH_TOKEN: "a-token",
      GEMINI_CLI_IDE_PID: "700",
    });
  });

  test("gets a closed diff's text as JSON, which is all that it understands", () => {
    const text = 'a "b"\r\n';
    for (const name of ["streamable-http-client", "stdio-client"]) {
      expect(gemini.quirks.closeDiffAnswer(text, { name, version: "1" })).toBe(
        JSON.stringify({ content: 'a "b"\r\n' }),
      );
    }
  });

  test("leaves other clients with its token the plain text of the specification", () => {
    expect(gemini.quirks.closeDiffAnswer("text\n", { name: "some-agent", version: "1" })).toBe("text\n");
  });

  test("has file names with and without a port", () => {
    const [folder] = gemini.discoveryFolders(host);
    expect(folder?.path).toBe("/tmp/gemini/ide");
    expect(folder?.parseName("gemini-ide-server-12-34.json")).toEqual({ pid: 12, port: 34 });
    expect(folder?.parseName("gemini-ide-server-12.json")).toEqual({ pid: 12 });
    expect(folder?.parseName("gemini-ide-server-12-34.json.bak")).toBeUndefined();
  });
});

describe("Qwen Code", () => {
  const content = {
    port: 41_234,
    workspacePath: "/home/ada/one:/home/ada/two",
    authToken: "a-token",
    ppid: 700,
    ideName: "Neovim",
    ideInfo: { name: "neovim", displayName: "Neovim" },
    serverPid: 701,
  };

  test("has the documented file, and the lock that it reads", () => {
    expect(qwen.discoveryFiles(address, host)).toEqual([
      {
        path: "/tmp/qwen/ide/qwen-code-ide-server-700-41234.json",
        folders: ["/tmp/qwen", "/tmp/qwen/ide"],
        content,
      },
      { path: "/home/ada/.qwen/ide/41234.lock", folders: ["/home/ada/.qwen/ide"], content },
    ]);
  });

  test("finds its lock where QWEN_HOME says, a tilde expanded", () => {
    const lockWith = (QWEN_HOME: string, home = "/home/ada") =>
      qwen.discoveryFiles(address, { ...host, home, env: { QWEN_HOME } })[1]?.path;
    expect(lockWith("/srv/qwen")).toBe("/srv/qwen/ide/41234.lock");
    expect(lockWith("~/q")).toBe("/home/ada/q/ide/41234.lock");
    expect(lockWith("~")).toBe("/home/ada/ide/41234.lock");
    expect(lockWith("")).toBe("/home/ada/.qwen/ide/41234.lock");
    expect(lockWith("", "")).toBe("/tmp/.qwen/ide/41234.lock");
  });

  test("receives port and roots by its terminal's variables", () => {
    expect(toTerminalEnv(qwen, address, host)).toEqual({
      QWEN_CODE_IDE_SERVER_PORT: "41234",
      QWEN_CODE_IDE_WORKSPACE_PATH: "/home/ada/one:/home/ada/two",
    });
  });

  test("gets a closed diff's text as the specification says", () => {
    expect(qwen.quirks.closeDiffAnswer("text\n", { name: "streamable-http-client", version: "1" })).toBe(
      "text\n",
    );
  });

  test("has file names that say process and port, or the port alone", () => {
    const [documented, locks] = qwen.discoveryFolders(host);
    expect(documented?.parseName("qwen-code-ide-server-12-34.json")).toEqual({ pid: 12, port: 34 });
    expect(locks?.parseName("34.lock")).toEqual({ port: 34 });
    expect(locks?.parseName("x.lock")).toBeUndefined();
  });
});

describe("every agent", () => {
  test.each(agents)("$name says that no folder is open by an empty workspace path", (agent) => {
    for (const file of agent.discoveryFiles({ ...address, roots: [] }, host)) {
      expect(file.content.workspacePath).toBe("");
    }
  });

  test.each(agents)("$name receives port and process by the variables that it names", (agent) => {
    const env = toTerminalEnv(agent, address, host);
    const { port = "", pid } = agent.variables;
    expect(env[port]).toBe("41234");
    if (pid !== undefined) expect(env[pid]).toBe("700");
  });

  test.each(agents)("$name joins roots as Windows does", (agent) => {
    const roots = ["C:\\work\\one", "D:\\two"];
    const [file] = agent.discoveryFiles({ ...address, roots }, { ...host, delimiter: ";" });
    expect(file?.content.workspacePath).toBe("C:\\work\\one;D:\\two");
  });

  test.each(agents)("$name recognises the names of its files", (agent) => {
    const folders = agent.discoveryFolders(host);
    for (const { path } of agent.discoveryFiles(address, host)) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const folder = folders.find((candidate) => path === `${candidate.path}/${name}`);
      expect(folder?.parseName(name)).toBeDefined();
    }
  });
});
