import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { pidIsAlive } from "./liveness.ts";

test("this process is alive, and one that never was is not", () => {
  expect(pidIsAlive(process.pid)).toBe(true);
  expect(pidIsAlive(2 ** 30)).toBe(false);
});

test.runIf(process.platform === "linux")(
  "a process that has ended is not alive although its parent has not looked yet",
  async () => {
    // The shell gives way to a program that never looks after its child, which ends after that, with its input.
    const parent = spawn("sh", ["-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 60"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = await once(parent.stdout, "data");
    const pid = Number(line);
    await eventually(() => expect(readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n"));
    parent.stdin.end();
    await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z "));
    expect(pidIsAlive(pid)).toBe(false);
  },
);
