import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { createSandbox, serve, start, useExecutable } from "../process-fixture.ts";

useExecutable();

const portOf = (text: string) => /Port +(\d+)/.exec(text)?.[1] ?? "";

describe("env", () => {
  test("binds a shell that evaluates it to the companion of this folder", async () => {
    const sandbox = createSandbox();
    const companion = await serve(sandbox);
    const run = start(sandbox, ["env", "--shell", "sh"]);
    expect(await run.end).toBe(0);
    const shown =
      'printf "%s|%s|%s" "$GEMINI_CLI_IDE_SERVER_PORT" "$QWEN_CODE_IDE_SERVER_PORT" "$GEMINI_CLI_IDE_WORKSPACE_PATH"';
    const { stdout } = await promisify(execFile)("sh", ["-c", `eval "$1"; ${shown}`, "sh", run.text]);
    const port = portOf(companion.text);
    expect(stdout).toBe(`${port}|${port}|${sandbox.app}`);
  });

  test("prints an object for programs, of one agent when it is named", async () => {
    const sandbox = createSandbox();
    const companion = await serve(sandbox);
    const run = start(sandbox, ["env", "--json", "--agent", "qwen"], { env: { HTTP_PROXY: "http://p" } });
    expect(await run.end).toBe(0);
    expect(JSON.parse(run.text)).toEqual({
      NO_PROXY: "127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost",
      QWEN_CODE_IDE_SERVER_PORT: portOf(companion.text),
      QWEN_CODE_IDE_WORKSPACE_PATH: sandbox.app,
    });
  });

  test("takes the variables out again, also when the companion has gone", async () => {
    const sandbox = createSandbox();
    const run = start(sandbox, ["env", "--unset", "--shell", "fish", "--agent", "qwen"]);
    expect(await run.end).toBe(0);
    expect(run.text).toBe("set -e QWEN_CODE_IDE_SERVER_PORT;\nset -e QWEN_CODE_IDE_WORKSPACE_PATH;\n");
  });

  test("prints nothing to evaluate when no companion serves the folder", async () => {
    const sandbox = createSandbox();
    const run = start(sandbox, ["env"]);
    let output = "";
    run.child.stdout?.on("data", (chunk: string) => {
      output += chunk;
    });
    expect(await run.end).toBe(1);
    expect(output).toBe("");
    expect(run.text).toContain(`error: no companion serves ${sandbox.app}\n`);
    expect(run.text).toContain(`ide-companion ${path.join(sandbox.app)}`);
  });

  test("refuses what does not go together", async () => {
    const run = start(createSandbox(), ["env", "--json", "--unset"]);
    expect(await run.end).toBe(2);
    expect(run.text).toContain("--json is for programs: it goes neither with --shell nor with --unset");
  });
});
