import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import {
  findClientProcess,
  parseConnections,
  parseFolders,
  parseHolder,
  parseLocalHolder,
  parseLocalPeer,
  parsePsEnvironments,
  parseStarts,
  parseStartTime,
  parseWin32Starts,
  readProcessDetails,
} from "./process-details.ts";

describe("the details of a process", () => {
  test("on Linux begin after a name that may hold anything", () => {
    const stat = "42 (a) R (b) S 1 42 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 7 0 987654 1000 20";
    expect(parseStartTime(stat)).toBe(987_654);
    expect(parseStartTime("")).toBeUndefined();
  });

  test("on macOS are what ps and lsof print", () => {
    const starts = parseStarts("  310 Mon Nov 23 03:19:33 2026    \n99 Sun Nov 22 23:00:00 2026\n");
    expect([...starts.keys()]).toEqual([310, 99]);
    expect((starts.get(310) ?? 0) - (starts.get(99) ?? 0)).toBe(((4 * 60 + 19) * 60 + 33) * 1000);
    expect([...parseFolders("p310\nfcwd\nn/Users/ada/my shop\np99\nfcwd\nn/\n")]).toEqual([
      [310, "/Users/ada/my shop"],
      [99, "/"],
    ]);
    const line =
      "  310 node /opt/bin/gemini -i a=b TMPDIR=/var/folders/a b/T/ HOME=/Users/ada TERM_PROGRAM=zed\n";
    expect(parsePsEnvironments(line).get(310)).toMatchObject({
      TMPDIR: "/var/folders/a b/T/",
      HOME: "/Users/ada",
      TERM_PROGRAM: "zed",
    });
  });

  test("on Windows are what PowerShell prints of one process, of several, and of none", () => {
    expect([...parseWin32Starts('{"ProcessId":7,"StartedAt":1763860773123}')]).toEqual([
      [7, 1_763_860_773_123],
    ]);
    const two =
      '[{"ProcessId":7,"StartedAt":2},{"ProcessId":8,"StartedAt":null},{"ProcessId":9,"StartedAt":3}]';
    expect([...parseWin32Starts(two)]).toEqual([
      [7, 2],
      [9, 3],
    ]);
    expect([...parseWin32Starts("")]).toEqual([]);
  });

  test("hold the connections to one port, and none that is over or goes elsewhere", () => {
    const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 22 1 0 20 4 30 10 -1
   2: 0100007F:9C40 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 33 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:9C40 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
`;
    expect(parseConnections(table, 40_000)).toEqual(["22"]);
    expect(parseConnections(table, 40_001)).toEqual([]);
    expect(parseConnections(table, 40_000, 50_000)).toEqual(["22"]);
    expect(parseConnections(table, 40_000, 1)).toEqual([]);
  });

  test("the process at the other end of a connection on macOS is the one whose own end has the port", () => {
    const own = "p10\nf5\nn127.0.0.1:40000->127.0.0.1:51234\n";
    const client = "p20\nf7\nn127.0.0.1:51234->127.0.0.1:40000\n";
    expect(parseHolder(own + client, 51_234, 40_000)).toBe(20);
    expect(parseHolder(own, 51_234, 40_000)).toBeUndefined();
  });

  test.runIf(process.platform === "linux")("name the one that has opened a connection to us", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const script = `require("node:net").connect(${port}, "127.0.0.1").on("close", () => process.exit())`;
    const child = spawn(process.execPath, ["-e", script]);
    onTestFinished(() => void child.kill());
    const [socket] = await once(server, "connection");
    expect(await findClientProcess(socket)).toBe(child.pid);
    socket.destroy();
  });

  test("name the one at the other end of a socket that has no port", () => {
    const lines = [
      "u_str ESTAB 0      0      /tmp/a b/copilot.sock 52 * 51   ",
      "u_str ESTAB 0      0                 * 51 * 52  ",
    ].join("\n");
    expect([parseLocalPeer(lines, "52"), parseLocalPeer(lines, "53")]).toEqual(["51", undefined]);
    expect(parseLocalPeer(`${lines}\nu_str ESTAB 0 0 /tmp/x 52 * 99`, "52"), "two lines fit").toBeUndefined();
    const files =
      "p7\nf4\nd0xaa\nn/tmp/copilot.sock\nf5\nd0xab\nn/tmp/copilot.sock\np9\nf3\nd0xac\nn->0xab\n";
    expect([parseLocalHolder(files, 7, 5), parseLocalHolder(files, 7, 4)]).toEqual([9, undefined]);
  });

  test.runIf(process.platform === "linux")(
    "name the one that has opened a socket of ours without a port",
    async () => {
      const path = join(privateFolder(), "s");
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await once(server, "listening");
      const script = `require("node:net").connect(${JSON.stringify(path)}).on("close", () => process.exit())`;
      const child = spawn(process.execPath, ["-e", script]);
      onTestFinished(() => void child.kill());
      const [socket] = await once(server, "connection");
      expect(await findClientProcess(socket)).toBe(child.pid);
      socket.destroy();
    },
  );

  test.runIf(process.platform === "linux")("are those of real processes", async () => {
    const cwd = privateFolder();
    const env = { ...process.env, SIGN: "a=b" };
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { cwd, env });
    onTestFinished(() => void child.kill());
    const pid = child.pid ?? 0;
    const details = await readProcessDetails([process.pid, pid, 2 ** 22 + 1]);
    expect(details.get(pid)).toMatchObject({ folder: cwd, env: { SIGN: "a=b" } });
    expect(details.get(pid)?.startedAt).toBeGreaterThan(details.get(process.pid)?.startedAt ?? Infinity);
    expect(details.get(2 ** 22 + 1)).toEqual({ startedAt: undefined, folder: undefined, env: undefined });
  });
});
