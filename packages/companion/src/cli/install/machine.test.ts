import { expect, test } from "vitest";
import { knownFolders } from "./machine.ts";

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
