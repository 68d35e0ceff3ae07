import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine, type Machine } from "../../testing/machine.ts";
import { toUnset, withEnvironment } from "../doctor/environment.ts";
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

describe("Gemini CLI", () => {
  test("takes variables from the file that is nearest to its folder", () => {
    const machine = settle("gemini");
    expect(added("gemini", machine)).toEqual({});
    machine.put("folder", ".env", "A=1\nB='two' # why\n");
    expect(added("gemini", machine)).toEqual({ A: "1 project/.env", B: "two project/.env" });
    machine.put("folder", ".gemini/.env", "C=3\n");
    expect(added("gemini", machine)).toEqual({ C: "3 project/.gemini/.env" });
    const folder = path.join(machine.folder, "packages", "one");
    mkdirSync(folder, { recursive: true });
    expect(added("gemini", machine.with({ folder }))).toEqual({ C: "3 project/.gemini/.env" });
  });

  test("takes none from a folder that it does not trust", () => {
    const machine = settle("gemini", {}, "DO_NOT_TRUST");
    machine.put("folder", ".env", "A=1\n");
    expect(added("gemini", machine)).toEqual({});
  });

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
  test("reads its user's files, which come after the terminal's variables", () => {
    const machine = settle("qwen");
    machine.put("home", ".qwen/.env", "B=own\nC=own\nD=own\n");
    machine.put("home", ".env", "C=home\nE=home\n");
    const found = added("qwen", machine.with({ env: { ...none, B: "mine", D: "" } }));
    expect(found).toEqual({ C: "own home/.qwen/.env", D: "own home/.qwen/.env", E: "home home/.env" });
  });

  test("is not moved, nor put into a sandbox, by a file of a project", () => {
    const machine = settle("qwen");
    machine.put("folder", ".qwen/.env", "QWEN_HOME=/x\nTMPDIR=/x\nQWEN_SANDBOX=lxc\nA=1\n");
    expect(added("qwen", machine)).toEqual({ A: "1 project/.qwen/.env" });
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
