import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine, type Machine } from "../../testing/machine.ts";
import { toUnset, withEnvironment } from "./environment.ts";
import { loadGeminiEnvironment } from "./gemini/settings.ts";
import { loadQwenEnvironment } from "./qwen/settings.ts";

const none = {
  GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/none",
  QWEN_CODE_SYSTEM_SETTINGS_PATH: "/none",
};

function settle(cli: "gemini" | "qwen", settings: object = {}, level = "TRUST_FOLDER"): Machine {
  const machine = createMachine();
  const security = { folderTrust: { enabled: true } };
  machine.put("home", `.${cli}/settings.json`, { security, ...settings });
  machine.put("home", `.${cli}/trustedFolders.json`, { [machine.folder]: level });
  return machine.with({ env: none });
}

/** The variables that files add, by the names of the files. */
function added(cli: "gemini" | "qwen", machine: Machine): Record<string, string> {
  const load = cli === "gemini" ? loadGeminiEnvironment : loadQwenEnvironment;
  const { env, sources } = load(machine);
  const root = path.dirname(machine.host.home);
  return Object.fromEntries(
    Object.entries(sources).map(([name, file]) => [name, `${env[name]} ${path.relative(root, file)}`]),
  );
}

describe.each(["gemini", "qwen"] as const)("the variables of %s", (cli) => {
  test("come from the file that is nearest to its folder", () => {
    const machine = settle(cli);
    expect(added(cli, machine)).toEqual({});
    machine.put("folder", ".env", "A=1\nB='two' # why\n");
    expect(added(cli, machine)).toEqual({ A: "1 project/.env", B: "two project/.env" });
    machine.put("folder", `.${cli}/.env`, "C=3\n");
    expect(added(cli, machine)).toEqual({ C: `3 project/.${cli}/.env` });
  });

  test("come from folders above as well", () => {
    const machine = settle(cli);
    machine.put("folder", ".env", "A=1\n");
    const folder = path.join(machine.folder, "packages", "one");
    mkdirSync(folder, { recursive: true });
    expect(added(cli, machine.with({ folder }))).toEqual({ A: "1 project/.env" });
  });

  test("do not take the place of those that the terminal has", () => {
    const machine = settle(cli);
    machine.put("folder", ".env", "A=1\nB=2\n");
    expect(added(cli, machine.with({ env: { ...none, A: "mine" } }))).toEqual({ B: "2 project/.env" });
  });

  test("do not come from a folder that is not trusted", () => {
    const machine = settle(cli, {}, "DO_NOT_TRUST");
    machine.put("folder", ".env", "A=1\n");
    expect(added(cli, machine)).toEqual({});
  });

  test("leave out what the settings name, except from a file in the CLI's own folder", () => {
    const machine = settle(cli, { advanced: { excludedEnvVars: ["A"] } });
    machine.put("folder", ".env", "A=1\nDEBUG=1\nB=2\n");
    expect(added(cli, machine)).toEqual({ B: "2 project/.env" });
    machine.put("folder", `.${cli}/.env`, "A=1\nDEBUG=1\n");
    expect(added(cli, machine)).toEqual({
      A: `1 project/.${cli}/.env`,
      DEBUG: `1 project/.${cli}/.env`,
    });
  });
});

describe("Gemini CLI", () => {
  test("reads one file alone, its user's when there is no other", () => {
    const machine = settle("gemini");
    machine.put("home", ".env", "A=home\n");
    expect(added("gemini", machine)).toEqual({ A: "home home/.env" });
    machine.put("home", ".gemini/.env", "B=own\n");
    expect(added("gemini", machine)).toEqual({ B: "own home/.gemini/.env" });
    machine.put("folder", ".env", "C=1\n");
    expect(added("gemini", machine)).toEqual({ C: "1 project/.env" });
  });

  test("may be asked to leave the project's alone", () => {
    const machine = settle("gemini", { advanced: { ignoreLocalEnv: true } });
    machine.put("folder", ".env", "A=1\n");
    machine.put("home", ".env", "B=2\n");
    expect(added("gemini", machine)).toEqual({ B: "2 home/.env" });
  });

  test("takes an empty variable for one that is set", () => {
    const machine = settle("gemini");
    machine.put("folder", ".env", "A=1\n");
    expect(added("gemini", machine.with({ env: { ...none, A: "" } }))).toEqual({});
  });
});

describe("Qwen Code", () => {
  test("reads its user's files next to the project's", () => {
    const machine = settle("qwen");
    machine.put("folder", ".env", "A=project\nB=project\n");
    machine.put("home", ".qwen/.env", "B=own\nC=own\n");
    machine.put("home", ".env", "C=home\nD=home\n");
    expect(added("qwen", machine)).toEqual({
      A: "project project/.env",
      B: "project project/.env",
      C: "own home/.qwen/.env",
      D: "home home/.env",
    });
  });

  test("takes nothing from a project that moves its own files or its sandbox", () => {
    const machine = settle("qwen");
    machine.put("folder", ".qwen/.env", "QWEN_HOME=/x\nTMPDIR=/x\nQWEN_SANDBOX=lxc\nA=1\n");
    expect(added("qwen", machine)).toEqual({ A: "1 project/.qwen/.env" });
    machine.put("home", ".env", "QWEN_SANDBOX=lxc\n");
    expect(added("qwen", machine)).toEqual({ A: "1 project/.qwen/.env", QWEN_SANDBOX: "lxc home/.env" });
  });

  test("goes to another home by its user's file, and reads the one that is there", () => {
    const machine = settle("qwen");
    const other = path.join(machine.host.home, "other");
    machine.put("home", ".qwen/.env", `QWEN_HOME=${other}\n`);
    machine.put("home", "other/.env", "A=other\n");
    expect(added("qwen", machine)).toEqual({
      QWEN_HOME: `${other} home/.qwen/.env`,
      A: "other home/other/.env",
    });
  });

  test("takes variables from its settings as well", () => {
    const machine = settle("qwen", { env: { A: "settings", QWEN_HOME: "/x" } });
    expect(added("qwen", machine)).toEqual({ A: "settings home/.qwen/settings.json" });
    machine.put("home", ".env", "A=home\n");
    expect(added("qwen", machine)).toEqual({ A: "home home/.env" });
  });

  test("takes an empty variable for none", () => {
    const machine = settle("qwen");
    machine.put("folder", ".env", "A=1\n");
    expect(added("qwen", machine.with({ env: { ...none, A: "" } }))).toEqual({ A: "1 project/.env" });
  });
});

test("a file may move the temporary folder, in which CLIs look for their IDE", () => {
  const { host } = createMachine();
  const moved = withEnvironment(host, { env: { TMPDIR: "/elsewhere/" }, sources: { TMPDIR: "/x/.env" } });
  expect(moved.tmp).toBe("/elsewhere");
  expect(withEnvironment(host, { env: { TMPDIR: "/elsewhere" }, sources: {} }).tmp).toBe(host.tmp);
});

test("what to do about a variable depends on where it is set", () => {
  expect(toUnset("A", { A: "/x/.env" })).toBe("Take A out of /x/.env.");
  expect(toUnset("B", { A: "/x/.env" })).toBe("Unset B.");
});
