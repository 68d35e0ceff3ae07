import { expect, test } from "vitest";
import { toUserFolders } from "./user-folders.ts";

test("on Linux they are the XDG folders, by their variables or by their defaults", () => {
  const linux = (env: Record<string, string>) => toUserFolders({ platform: "linux", home: "/home/ada", env });
  expect(linux({})).toMatchObject({
    config: "/home/ada/.config",
    data: "/home/ada/.local/share",
    state: "/home/ada/.local/state",
    roaming: "/home/ada/.config",
    qtConfig: "/home/ada/.config",
  });
  expect(linux({ XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d", XDG_STATE_HOME: "relative" })).toMatchObject({
    config: "/c",
    data: "/d",
    state: "/home/ada/.local/state",
    qtConfig: "/c",
  });
});

test("on macOS they are the same, but for Qt's programs", () => {
  expect(toUserFolders({ platform: "darwin", home: "/Users/ada", env: {} })).toMatchObject({
    config: "/Users/ada/.config",
    data: "/Users/ada/.local/share",
    qtConfig: "/Users/ada/Library/Preferences",
  });
});

test("on Windows they are the folders of applications", () => {
  const home = "C:\\Users\\Ada";
  expect(toUserFolders({ platform: "win32", home, env: {} })).toMatchObject({
    config: "C:\\Users\\Ada\\AppData\\Local",
    data: "C:\\Users\\Ada\\AppData\\Local",
    roaming: "C:\\Users\\Ada\\AppData\\Roaming",
  });
  expect(
    toUserFolders({ platform: "win32", home, env: { LOCALAPPDATA: "D:\\Local" } }).join("D:\\", "x", "y"),
  ).toBe("D:\\x\\y");
});
