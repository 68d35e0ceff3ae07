import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine, type Machine } from "../../../testing/machine.ts";
import { geminiCli } from "./cli.ts";

/** Writes a discovery file as the documentation has it. */
function putFile(machine: Machine, name: string, content: Record<string, unknown> = {}): string {
  const port = Number(/(\d+)\.json$/.exec(name)?.[1]);
  return machine.put("tmp", `gemini/ide/gemini-ide-server-${name}`, {
    port,
    workspacePath: machine.folder,
    authToken: "secret",
    ...content,
  });
}

async function discover(machine: Machine) {
  const { chosen, files, endpoints, workspace, ide } = await geminiCli.discover(machine);
  const results = files.map(({ found, result, reason }) => [path.basename(found.path), result, reason]);
  const [endpoint] = endpoints;
  return {
    port: chosen?.content?.port,
    reason: chosen?.reason,
    results,
    endpoints,
    endpoint,
    workspace,
    ide,
  };
}

describe("Gemini CLI chooses", () => {
  test("the only file that serves its folder", async () => {
    const machine = createMachine([700]);
    const file = putFile(machine, "700-41000.json");
    const found = await discover(machine);
    expect(found.reason).toBe("the only one that serves this folder");
    expect(found.endpoints).toEqual([
      { kind: "http", hosts: ["127.0.0.1"], port: 41_000, token: "secret", source: file },
    ]);
    expect(found.workspace).toEqual({ result: "inside", roots: [machine.folder], source: file });
  });

  test("the older name without a port before all others, whatever its folders", async () => {
    const machine = createMachine([700]);
    putFile(machine, "700.json", { port: 41_000, workspacePath: "/elsewhere" });
    putFile(machine, "700-41001.json");
    const found = await discover(machine);
    expect([found.port, found.workspace.result]).toEqual([41_000, "outside"]);
  });

  test("its own process first, then those that live, then the highest id", async () => {
    const machine = createMachine([20, 30]);
    for (const name of ["20-1.json", "30-2.json", "90-3.json"]) putFile(machine, name);
    const named = () => discover(machine).then(({ results }) => results.map(([name]) => name));
    expect(await named()).toEqual([
      "gemini-ide-server-30-2.json",
      "gemini-ide-server-20-1.json",
      "gemini-ide-server-90-3.json",
    ]);
    const own = await discover(machine.with({ ideProcess: { pid: 20, command: "" } }));
    expect([own.port, own.reason]).toEqual([1, "its name has the IDE's process 20"]);
    expect((await discover(machine)).reason).toBe("of 3 that serve this folder its process 30 is the newest");
  });

  test("the port that the terminal names, of those that serve its folder", async () => {
    const machine = createMachine([20, 30]);
    for (const name of ["20-1.json", "30-2.json"]) putFile(machine, name);
    putFile(machine, "31-3.json", { workspacePath: "/elsewhere" });
    const byPort = (port: string) => discover(machine.with({ env: { GEMINI_CLI_IDE_SERVER_PORT: port } }));
    expect((await byPort("1")).reason).toBe("GEMINI_CLI_IDE_SERVER_PORT names its port");
    expect((await byPort("3")).port).toBe(2);
  });

  test("one that serves another folder when there is no better one, and does not connect", async () => {
    const machine = createMachine([20]);
    putFile(machine, "20-1.json", { workspacePath: "/elsewhere" });
    const found = await discover(machine);
    expect(found.reason).toBe(
      "none serves this folder; of this one it says: its IDE has other folders open: /elsewhere",
    );
    expect(found.workspace).toMatchObject({ result: "outside", roots: ["/elsewhere"] });
  });
});

describe("Gemini CLI refuses", () => {
  test("what is damaged, unreadable, misnamed, or without a folder", async () => {
    const machine = createMachine();
    putFile(machine, "1-1.json");
    machine.put("tmp", "gemini/ide/gemini-ide-server-2-2.json", '{"port":');
    machine.put("tmp", "gemini/ide/gemini-ide-server-3-3.json", "[]");
    putFile(machine, "4-4.json", { workspacePath: "" });
    putFile(machine, "5-5.json", { workspacePath: undefined });
    putFile(machine, "6.json");
    mkdirSync(path.join(machine.host.tmp, "gemini/ide/gemini-ide-server-7-7.json"));
    const { results } = await discover(machine);
    expect(results.filter(([, result]) => result === "refused").toSorted()).toEqual([
      ["gemini-ide-server-2-2.json", "refused", "it is no JSON object"],
      ["gemini-ide-server-3-3.json", "refused", "it is no JSON object"],
      ["gemini-ide-server-4-4.json", "refused", "its IDE has no folder open"],
      ["gemini-ide-server-5-5.json", "refused", "it does not say which folders its IDE has open"],
      [
        "gemini-ide-server-6.json",
        "refused",
        "its name has no port, and 6 is not the IDE's process, which is 700",
      ],
      ["gemini-ide-server-7-7.json", "refused", "it is not a regular file"],
    ]);
  });

  test("another user's file", async () => {
    const machine = createMachine([700]);
    putFile(machine, "700-1.json");
    const { results } = await discover(machine.with({ uid: 4242 }));
    const owner = process.getuid?.();
    expect(results[0]?.[2]).toBe(`it belongs to user ${owner}, and must belong to you (user 4242)`);
  });

  test("what it may not read, unless it is root", async () => {
    const machine = createMachine([700]);
    chmodSync(putFile(machine, "700-1.json"), 0);
    const { results } = await discover(machine);
    const isRoot = process.getuid?.() === 0;
    expect(results[0]?.[1]).toBe(isRoot ? "chosen" : "refused");
  });
});

describe("Gemini CLI's workspace", () => {
  test("is any of several roots, below them, and through symlinks", async () => {
    const machine = createMachine([700]);
    const below = path.join(machine.folder, "src");
    const link = path.join(machine.host.tmp, "link");
    mkdirSync(below);
    symlinkSync(machine.folder, link);
    putFile(machine, "700-1.json", { workspacePath: `/elsewhere:${link}` });
    expect((await discover(machine.with({ folder: below }))).workspace.result).toBe("inside");
    expect((await discover(machine.with({ folder: machine.host.home }))).workspace.result).toBe("outside");
  });

  test("may be a URL, and may have percent signs", async () => {
    const machine = createMachine([700]);
    const folder = path.join(machine.folder, "100%25 or 5%");
    mkdirSync(folder);
    putFile(machine, "700-1.json", { workspacePath: folder });
    expect((await discover(machine.with({ folder }))).workspace.result).toBe("inside");
    putFile(machine, "700-1.json", { workspacePath: `file://${machine.folder}` });
    expect((await discover(machine)).workspace.result).toBe("inside");
  });

  test("comes from the terminal when no file tells it", async () => {
    const machine = createMachine();
    const env = { GEMINI_CLI_IDE_WORKSPACE_PATH: machine.folder, GEMINI_CLI_IDE_SERVER_PORT: "41000" };
    const found = await discover(machine.with({ env }));
    expect(found.workspace).toMatchObject({ result: "inside", source: "GEMINI_CLI_IDE_WORKSPACE_PATH" });
    expect(found.endpoint).toMatchObject({
      port: 41_000,
      token: undefined,
      source: "GEMINI_CLI_IDE_SERVER_PORT",
    });
    expect((await discover(machine)).workspace).toEqual({ result: "untold" });
  });
});

describe("Gemini CLI's endpoints", () => {
  test("are HTTP and stdio of the file, then of the terminal", async () => {
    const machine = createMachine([700]);
    const file = putFile(machine, "700-41000.json", { stdio: { command: "ide", args: ["--stdio"] } });
    const env = {
      GEMINI_CLI_IDE_SERVER_PORT: "41001",
      GEMINI_CLI_IDE_AUTH_TOKEN: "other",
      GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: "from-env",
      GEMINI_CLI_IDE_SERVER_STDIO_ARGS: '["a", "b"]',
    };
    const http = { kind: "http", hosts: ["127.0.0.1"], token: "secret" };
    expect((await discover(machine.with({ env }))).endpoints).toEqual([
      { ...http, port: 41_000, source: file },
      { kind: "stdio", command: "ide", args: ["--stdio"], source: file },
      { ...http, port: 41_001, source: "GEMINI_CLI_IDE_SERVER_PORT" },
      {
        kind: "stdio",
        command: "from-env",
        args: ["a", "b"],
        source: "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND",
      },
    ]);
  });

  test("lead out of a container, unless it is a remote one", async () => {
    const machine = createMachine([700]);
    putFile(machine, "700-41000.json");
    const hosts = async (env: Record<string, string>) => {
      const { endpoint } = await discover(machine.with({ inContainer: true, env }));
      return endpoint?.kind === "http" && endpoint.hosts;
    };
    expect(await hosts({})).toEqual(["host.docker.internal"]);
    for (const name of ["SSH_CONNECTION", "REMOTE_CONTAINERS", "VSCODE_REMOTE_CONTAINERS_SESSION"]) {
      expect(await hosts({ [name]: "x" })).toEqual(["127.0.0.1"]);
    }
  });

  test("do without what makes no sense", async () => {
    const machine = createMachine([700]);
    putFile(machine, "700-41000.json", { port: "70000", stdio: "ide" });
    const env = { GEMINI_CLI_IDE_SERVER_PORT: "x", GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: "ide" };
    const odd = { ...env, GEMINI_CLI_IDE_SERVER_STDIO_ARGS: "--no-json" };
    expect((await discover(machine.with({ env: odd }))).endpoints).toEqual([
      { kind: "stdio", command: "ide", args: [], source: "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND" },
    ]);
  });
});

describe("Gemini CLI takes its terminal for", () => {
  const detect = (env: Record<string, string>, command = "") => {
    const found = geminiCli.detectIde({ env, command });
    return found && `${found.ide.displayName}: ${found.sign}`;
  };

  test("no IDE's without one of six signs, whatever else is set", () => {
    expect(detect({})).toBeUndefined();
    expect(detect({ CURSOR_TRACE_ID: "x", NVIM: "/tmp/nvim", TERM_PROGRAM: "iTerm.app" })).toBeUndefined();
  });

  test.each([
    [{ ANTIGRAVITY_CLI_ALIAS: "agy" }, "Antigravity: ANTIGRAVITY_CLI_ALIAS is set"],
    [{ __COG_BASHRC_SOURCED: "1" }, "Devin: __COG_BASHRC_SOURCED is set"],
    [{ REPLIT_USER: "ada" }, "Replit: REPLIT_USER is set"],
    [{ CURSOR_TRACE_ID: "x" }, "Cursor: CURSOR_TRACE_ID is set"],
    [{ CODESPACES: "true" }, "GitHub Codespaces: CODESPACES is set"],
    [{ EDITOR_IN_CLOUD_SHELL: "1" }, "Cloud Shell: EDITOR_IN_CLOUD_SHELL is set"],
    [{ CLOUD_SHELL: "true" }, "Cloud Shell: CLOUD_SHELL is set"],
    [{ TERM_PRODUCT: "Trae" }, "Trae: TERM_PRODUCT=Trae"],
    [{ MONOSPACE_ENV: "1" }, "Firebase Studio: MONOSPACE_ENV is set"],
    [{ POSITRON: "1" }, "Positron: POSITRON=1"],
    [{}, "VS Code: TERM_PROGRAM=vscode"],
  ])("one of VS Code's family %#", (env, expected) => {
    expect(detect({ TERM_PROGRAM: "vscode", ...env })).toBe(expected);
  });

  test("a fork by the IDE's command line", () => {
    const env = { TERM_PROGRAM: "vscode" };
    expect(detect(env, "/usr/share/code/code")).toBe("VS Code: TERM_PROGRAM=vscode");
    expect(detect(env, "/opt/windsurf/windsurf")).toBe("IDE: TERM_PROGRAM=vscode");
  });

  test.each([
    [{ TERM_PROGRAM: "sublime" }, "", "Sublime Text: TERM_PROGRAM=sublime"],
    [{ TERM_PROGRAM: "Zed" }, "", "Zed: TERM_PROGRAM=Zed"],
    [{ ZED_SESSION_ID: "1" }, "", "Zed: ZED_SESSION_ID is set"],
    [{ XCODE_VERSION_ACTUAL: "1600" }, "", "XCode: XCODE_VERSION_ACTUAL is set"],
    [jetbrains(), "", "JetBrains IDE: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "/opt/idea/bin/idea.sh", "IntelliJ IDEA: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "/opt/WebStorm/bin/webstorm", "WebStorm: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "pycharm", "PyCharm: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "goland", "GoLand: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "/opt/android-studio/bin/studio", "Android Studio: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "clion", "CLion: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "rustrover", "RustRover: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "datagrip", "DataGrip: TERMINAL_EMULATOR=JetBrains-JediTerm"],
    [jetbrains(), "phpstorm", "PhpStorm: TERMINAL_EMULATOR=JetBrains-JediTerm"],
  ])("another IDE's %#", (env, command, expected) => {
    expect(detect(env, command)).toBe(expected);
  });

  test("the IDE that its discovery file names, before all signs", () => {
    const named = { name: "neovim", displayName: "Neovim" };
    expect(geminiCli.detectIde({ env: { TERM_PROGRAM: "vscode" }, command: "", named })).toEqual({
      ide: named,
      sign: "its discovery file names it",
    });
  });

  function jetbrains() {
    return { TERMINAL_EMULATOR: "JetBrains-JediTerm" };
  }
});
