import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createMachine, knownFolders } from "./machine.ts";

test("command-line tools are looked for where their editors were installed, too", () => {
  const mac = { platform: "darwin", home: "/Users/ada", env: {} } as const;
  const inApp = "Visual Studio Code.app/Contents/Resources/app/bin/code";
  expect(knownFolders("code", mac)).toEqual([`/Applications/${inApp}`, `/Users/ada/Applications/${inApp}`]);
  const windows = { platform: "win32", home: "C:\\Users\\Ada", env: {} } as const;
  expect(knownFolders("code", windows)).toEqual([
    "C:\\Users\\Ada\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd",
    "C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd",
  ]);
  expect(knownFolders("code", { platform: "linux", home: "/home/ada", env: {} })).toEqual([]);
  expect(knownFolders("kak", mac)).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "an editor's program that does not end is given up, also where it is a script that waits for another program",
  async () => {
    const folder = privateFolder();
    const file = path.join(folder, "pid");
    const host = { tmp: folder, home: folder, env: { PATH: process.env.PATH }, delimiter: path.delimiter };
    const { run } = createMachine({ host, program: folder });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = run("sh", ["-c", `sleep 600 & echo $! > '${file}'; wait`]);
    const refused = expect(running).rejects.toThrow(/^sh -c .* has not ended within 120 s$/);
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
    onTestFinished(() => void process.kill(Number(readFileSync(file, "utf8"))));
    vi.advanceTimersByTime(120_000);
    await refused;
  },
);
