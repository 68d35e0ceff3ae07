import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { findExecutable } from "./host.ts";

test.skipIf(process.platform === "win32")(
  "a folder in the PATH with a program's name is not the program",
  () => {
    const folder = privateFolder();
    const at = (...names: readonly string[]) => path.join(folder, ...names);
    const env = { PATH: ["projects", "bin"].map((name) => at(name)).join(path.delimiter) };
    const find = () => findExecutable("code", { tmp: folder, home: folder, env, delimiter: path.delimiter });
    mkdirSync(at("projects", "code"), { recursive: true });
    expect(find()).toBeUndefined();
    mkdirSync(at("bin"));
    writeFileSync(at("bin", "code"), "#!/bin/sh\n", { mode: 0o755 });
    expect(find()).toBe(at("bin", "code"));
  },
);
