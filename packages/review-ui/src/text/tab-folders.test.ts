import { expect, test } from "vitest";
import { tabFolders } from "./tab-folders.ts";

const split = (path: string) => path.split("/");
const folders = (...paths: string[]) => Object.fromEntries(tabFolders(paths, split));

test("files of one name are told apart by the end of their folders", () => {
  expect(folders("/p/a/index.ts", "/p/b/index.ts", "/p/other.ts")).toEqual({
    "/p/a/index.ts": "a",
    "/p/b/index.ts": "b",
  });
});

test("the end is as long as it has to be", () => {
  expect(folders("/p/one/src/index.ts", "/p/two/src/index.ts", "/p/lib/index.ts")).toEqual({
    "/p/one/src/index.ts": "one/src",
    "/p/two/src/index.ts": "two/src",
    "/p/lib/index.ts": "lib",
  });
});

test("a folder whose whole path ends another one is shown whole", () => {
  expect(folders("/src/index.ts", "/p/src/index.ts")).toEqual({
    "/src/index.ts": "/src",
    "/p/src/index.ts": "p/src",
  });
});
