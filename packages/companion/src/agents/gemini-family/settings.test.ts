import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine, type Machine } from "../../testing/machine.ts";
import { checkGeminiSettings } from "./gemini/settings.ts";
import { checkQwenSettings } from "./qwen/settings.ts";

const clis = {
  gemini: { check: checkGeminiSettings, folder: ".gemini" },
  qwen: { check: checkQwenSettings, folder: ".qwen" },
} as const;
type Cli = keyof typeof clis;

/** A machine whose user has settings in which all is well, other things said aside. */
function settle(cli: Cli, settings: object = {}, trusted = true): Machine {
  const machine = createMachine();
  const { folder } = clis[cli];
  const good = { ide: { enabled: true }, tools: { approvalMode: "default" }, ...settings };
  machine.put("home", `${folder}/settings.json`, good);
  if (trusted) machine.put("home", `${folder}/trustedFolders.json`, { [machine.folder]: "TRUST_FOLDER" });
  return machine.with({
    env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/none", QWEN_CODE_SYSTEM_SETTINGS_PATH: "/none" },
  });
}

/** What is wrong, by the check's id. */
function faults(cli: Cli, machine: Machine): Record<string, string> {
  const found = Object.entries(clis[cli].check(machine));
  expect(found.map(([id]) => id)).toEqual(["settings", "ide-mode", "approval", "sandbox"]);
  return Object.fromEntries(
    found.flatMap(([id, { remedy }]) => (remedy === undefined ? [] : [[id, remedy]])),
  );
}

const userFile = (machine: Machine, cli: Cli) =>
  path.join(machine.host.home, clis[cli].folder, "settings.json");

describe.each(["gemini", "qwen"] as const)("the settings of %s", (cli) => {
  test("may be all right", () => {
    expect(faults(cli, settle(cli))).toEqual({});
  });

  test("may have comments", () => {
    const machine = settle(cli);
    const text = '// mine\n{ "ide": { "enabled": true /* yes */ }, "tools": { "approvalMode": "default" } }';
    machine.put("home", `${clis[cli].folder}/settings.json`, text);
    expect(faults(cli, machine)).toEqual({});
  });

  test("must be readable", () => {
    const machine = settle(cli);
    const file = machine.put("home", `${clis[cli].folder}/settings.json`, '{ "ide": { "enabled": true }, }');
    expect(faults(cli, machine).settings).toContain(`Fix ${file}: `);
  });

  test("must switch IDE mode on", () => {
    expect(faults(cli, settle(cli, { ide: undefined }))["ide-mode"]).toContain("/ide enable");
    expect(faults(cli, settle(cli, { ide: { enabled: false } }))["ide-mode"]).toContain("/ide enable");
  });

  test("of the workspace come before the user's, if the folder is trusted", () => {
    const { folder } = clis[cli];
    const off = { ide: { enabled: false } };
    const trusted = settle(cli, { security: { folderTrust: { enabled: true } } });
    const file = trusted.put("folder", `${folder}/settings.json`, off);
    expect(faults(cli, trusted)["ide-mode"]).toBe(
      `Set "ide": { "enabled": true } in ${file}, which has the last word.`,
    );
    const untrusted = settle(cli, { security: { folderTrust: { enabled: true } } }, false);
    untrusted.put("folder", `${folder}/settings.json`, off);
    expect(faults(cli, untrusted)["ide-mode"]).toBeUndefined();
  });

  test("of the administrator come before all others", () => {
    const machine = settle(cli);
    const file = machine.put("tmp", "system.json", { ide: { enabled: false } });
    const variable = cli === "gemini" ? "GEMINI_CLI_SYSTEM_SETTINGS_PATH" : "QWEN_CODE_SYSTEM_SETTINGS_PATH";
    expect(faults(cli, machine.with({ env: { [variable]: file } }))["ide-mode"]).toContain(file);
  });

  test("must not put it into a sandbox", () => {
    expect(faults(cli, settle(cli, { tools: { sandbox: true, approvalMode: "default" } })).sandbox).toContain(
      '"sandbox": false',
    );
    const machine = settle(cli);
    const variable = cli === "gemini" ? "GEMINI_SANDBOX" : "QWEN_SANDBOX";
    const inside = (env: Record<string, string>) => faults(cli, machine.with({ env })).sandbox;
    expect(inside({ [variable]: "docker" })).toBe(`Unset ${variable}.`);
    expect(inside({ [variable]: "0" })).toBeUndefined();
    expect(inside({ [variable]: "docker", SANDBOX: "1" })).toBeUndefined();
  });

  test("of a sandbox that keeps the network, as on macOS, do no harm", () => {
    const machine = settle(cli, { tools: { sandbox: true, approvalMode: "default" } });
    expect(faults(cli, machine.with({ platform: "darwin" })).sandbox).toBeUndefined();
  });
});

describe("Gemini CLI asks before it writes", () => {
  const fault = (settings: object, trusted = true) =>
    faults("gemini", settle("gemini", settings, trusted)).approval;

  test("unless it edits without asking, or only plans", () => {
    expect(fault({ general: { defaultApprovalMode: "auto_edit" } })).toContain(
      '"defaultApprovalMode": "default"',
    );
    expect(fault({ general: { defaultApprovalMode: "plan" } })).toContain('"defaultApprovalMode": "default"');
    expect(fault({ general: { defaultApprovalMode: "auto_edit" } }, false)).toBeUndefined();
  });

  test("unless a tool is allowed", () => {
    expect(fault({ tools: { allowed: ["run_shell_command(ls)"] } })).toBeUndefined();
    expect(fault({ tools: { allowed: ["write_file"] } })).toContain(
      'Take "write_file" out of tools.allowed in ',
    );
  });

  test("unless it was asked to allow a tool for ever", () => {
    const machine = settle("gemini");
    const rule = '[[rule]]\ndecision = "allow"\npriority = 100\ntoolName = "replace"\n';
    const file = machine.put(
      "home",
      ".gemini/policies/auto-saved.toml",
      `[[rule]]\ntoolName = "x"\n\n${rule}`,
    );
    expect(faults("gemini", machine).approval).toBe(`Take the rule that allows replace out of ${file}.`);
  });

  test("and trusts a folder by a variable, too", () => {
    const machine = settle("gemini", { general: { defaultApprovalMode: "auto_edit" } });
    const env = { GEMINI_CLI_TRUST_WORKSPACE: "false" };
    expect(faults("gemini", machine.with({ env })).approval).toBeUndefined();
  });
});

describe("Qwen Code asks before it writes", () => {
  const fault = (tools: object, more: object = {}, trusted = true) =>
    faults("qwen", settle("qwen", { tools, ...more }, trusted)).approval;

  test("in its mode default only, which is not the default", () => {
    expect(fault({})).toContain('Set "tools": { "approvalMode": "default" } in ');
    for (const approvalMode of ["auto", "auto-edit", "yolo", "plan"]) {
      expect(fault({ approvalMode })).toContain('"approvalMode": "default"');
    }
    expect(fault({ approvalMode: "Default" })).toBeUndefined();
  });

  test("in a folder that it does not trust", () => {
    const security = { folderTrust: { enabled: true } };
    expect(fault({ approvalMode: "yolo" }, { security }, false)).toBeUndefined();
    expect(fault({ approvalMode: "yolo" }, {}, false)).toContain('"approvalMode": "default"');
  });

  test("unless a permission covers it", () => {
    const machine = settle("qwen", { permissions: { allow: ["Bash(git status)", "Edit(/src/**)"] } });
    expect(faults("qwen", machine).approval).toBe(
      `Take "Edit(/src/**)" out of permissions.allow in ${userFile(machine, "qwen")}.`,
    );
  });

  test("and has no IDE mode in its execution sandbox", () => {
    const sandbox = { filesystem: "workspace-write", network: "open" };
    const machine = settle("qwen", { tools: { approvalMode: "default", executionSandbox: sandbox } });
    expect(faults("qwen", machine).sandbox).toContain("Take tools.executionSandbox out of ");
  });

  test("by settings of an older version as well", () => {
    const machine = settle("qwen", {
      ide: undefined,
      tools: undefined,
      ideMode: true,
      approvalMode: "default",
    });
    expect(faults("qwen", machine)).toEqual({});
  });
});
