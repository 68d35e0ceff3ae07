import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import type { LiveFinding } from "../../agents/agent.ts";
import { copilot } from "../../agents/copilot-cli/copilot.ts";
import { gemini } from "../../agents/gemini-family/gemini/agent.ts";
import { qwen } from "../../agents/gemini-family/qwen/agent.ts";
import { toLoopbackEnv } from "../../system/host.ts";
import { isStopped, needsConnectCommand, toAgentEnv } from "./run-command.ts";

const host = { tmp: "/tmp", home: "/home/ada", env: {}, delimiter: ":" };
const finding: LiveFinding = {
  agent: gemini,
  file: "/tmp/gemini/ide/gemini-ide-server-7-41000.json",
  result: "live",
  port: 41_000,
  token: "token",
  roots: ["/one", "/two"],
  pid: 7,
  writtenAt: 0,
};

describe("the variables of a CLI", () => {
  test("bind it to one companion, whatever terminal it runs in", () => {
    expect(toAgentEnv(finding, host, false)).toEqual({
      GEMINI_CLI_IDE_SERVER_PORT: "41000",
      GEMINI_CLI_IDE_WORKSPACE_PATH: "/one:/two",
      GEMINI_CLI_IDE_AUTH_TOKEN: "token",
      GEMINI_CLI_IDE_PID: "7",
    });
    expect(toAgentEnv({ ...finding, agent: qwen }, host, false)).toEqual({
      QWEN_CODE_IDE_SERVER_PORT: "41000",
      QWEN_CODE_IDE_WORKSPACE_PATH: "/one:/two",
    });
  });

  test("tell it, in a container, that its IDE is in the same one", () => {
    expect(toAgentEnv(finding, host, true)).toMatchObject({ REMOTE_CONTAINERS: "true" });
    expect(toAgentEnv({ ...finding, agent: qwen }, host, true)).not.toHaveProperty("REMOTE_CONTAINERS");
  });

  test("keep loopback away from proxies, and every exception that was there", () => {
    const both = (list: string) => ({ NO_PROXY: list, no_proxy: list });
    expect(toLoopbackEnv({})).toEqual({});
    expect(toLoopbackEnv({ NO_PROXY: "a" })).toEqual({});
    expect(toLoopbackEnv({ HTTP_PROXY: "http://p" })).toEqual(both("127.0.0.1,localhost"));
    expect(toLoopbackEnv({ https_proxy: "http://p", NO_PROXY: "a, b", no_proxy: "b,localhost" })).toEqual(
      both("a,b,localhost,127.0.0.1"),
    );
  });
});

test("a CLI that connects in an open folder alone needs a command in one below it", () => {
  expect(needsConnectCommand(copilot, ["/one", "/two"], "/two")).toBe(false);
  expect(needsConnectCommand(copilot, ["/one", "/two"], "/two/src")).toBe(true);
  expect(needsConnectCommand(gemini, ["/one"], "/one/src")).toBe(false);
});

test.each(["linux", "darwin"] as const)(
  "on %s a process that is stopped is known by its state",
  async (platform) => {
    const child = spawn("sh", ["-c", "kill -STOP $$; read -r _"], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await eventually(async () => expect(await isStopped(child.pid ?? 0, platform)).toBe(true));
    child.kill("SIGCONT");
    await eventually(async () => expect(await isStopped(child.pid ?? 0, platform)).toBe(false));
    child.stdin.end();
    await once(child, "close");
    expect(await isStopped(child.pid ?? 0, platform)).toBe(false);
  },
);
