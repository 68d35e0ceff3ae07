import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { systemHost } from "../../system/host.ts";
import { planEmacs } from "../emacs-plan.ts";
import { planKate } from "../kate-plan.ts";
import type { Machine } from "./plan.ts";
import { toUserFolders } from "./user-folders.ts";

/** A machine with both programs in one folder, as their package manager installs them. */
function machineWith(program: "a link" | "a script", platform: NodeJS.Platform) {
  const home = privateFolder();
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(home, "ide-companion.js"), "#!/usr/bin/env node\n");
  if (program === "a link") symlinkSync(join(home, "ide-companion.js"), join(bin, "ide-companion"));
  else writeFileSync(join(bin, "ide-companion"), "#!/bin/sh\nexec node ../ide-companion.js\n");
  const host = { ...systemHost(), home, env: {} };
  const machine: Machine = {
    host,
    platform,
    userFolders: toUserFolders({ platform, home, env: {} }),
    plugins: join(home, "plugins"),
    agentCommands: "gemini",
    find: (name) => join(bin, name),
    run: () => Promise.reject(new Error("nothing is run")),
  };
  return { machine, bin };
}

/** @param env of a user whose home is `C:\\Users\\Ada` */
function windowsWith(env: Readonly<Record<string, string>>): Machine {
  const { machine } = machineWith("a link", "linux");
  const home = "C:\\Users\\Ada";
  const userFolders = toUserFolders({ platform: "win32", home, env });
  return { ...machine, host: { ...machine.host, home, env }, platform: "win32", userFolders };
}

/** All that is written into files of the user's. */
async function textOf(plan: typeof planKate, machine: Machine): Promise<string> {
  const { parts } = await plan(machine);
  return JSON.stringify(parts.flatMap((part) => (part.kind === "file" ? [part.edit] : [])));
}

test("on macOS an editor that was opened from the Dock finds Node and the command without a PATH", async () => {
  const { machine, bin } = machineWith("a link", "darwin");
  const words = [join(bin, "node"), join(bin, "ide-companion"), "lsp"];
  expect(await textOf(planKate, machine)).toContain(`"command":${JSON.stringify(words)}`);
  const quoted = words.map((word) => `"${word}"`).join(" ");
  expect(await textOf(planEmacs, machine)).toContain(
    JSON.stringify(`(setq ide-companion-command '(${quoted}))`).slice(1, -1),
  );
});

test("on macOS a command that is a script of a package manager finds Node as well", async () => {
  const { machine, bin } = machineWith("a script", "darwin");
  const words = ["/usr/bin/env", `PATH=${bin}:/usr/bin:/bin`, join(bin, "ide-companion"), "lsp"];
  expect(await textOf(planKate, machine)).toContain(`"command":${JSON.stringify(words)}`);
});

test("everywhere else editors start the command by its name", async () => {
  const { machine } = machineWith("a link", "linux");
  expect(await textOf(planKate, machine)).toContain('"command":["ide-companion","lsp"]');
  expect(await textOf(planEmacs, machine)).not.toContain("ide-companion-command");
});

test.each([
  [
    {},
    "C:\\Users\\Ada\\AppData\\Roaming\\.emacs.d\\init.el",
    "C:\\Users\\Ada\\AppData\\Local\\ide-companion\\emacs",
  ],
  [{ HOME: "C:/Users/Ada" }, "C:\\Users\\Ada\\.emacs.d\\init.el", "~/AppData\\Local\\ide-companion\\emacs"],
  [
    { HOME: "C:\\msys64\\home\\ada" },
    "C:\\msys64\\home\\ada\\.emacs.d\\init.el",
    "C:\\Users\\Ada\\AppData\\Local\\ide-companion\\emacs",
  ],
])("on Windows with %j, Emacs reads the init file, and finds the plugin by it", async (env, init, folder) => {
  const machine = windowsWith(env);
  const { parts } = await planEmacs(machine);
  expect(parts.flatMap((part) => (part.kind === "file" ? [part.path] : []))).toEqual([init]);
  const line = `(add-to-list 'load-path ${JSON.stringify(folder)})`;
  expect(await textOf(planEmacs, machine)).toContain(JSON.stringify(line).slice(1, -1));
});
