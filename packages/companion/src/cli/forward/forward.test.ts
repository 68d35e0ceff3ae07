import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { send, WireClient } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { startRelay, toHere, toThere } from "../../agents/gemini-family/relay.ts";
import { createPathMap } from "../../files/path-map.ts";
import { startCore } from "../../testing/core.ts";
import { startPortRelay, toFinding } from "../../testing/far-machine.ts";
import { farSideScript } from "./far-side.ts";
import { createSharedFolders, toMappings } from "./shared-folders.ts";

describe("paths", () => {
  const map = createPathMap(
    [
      { here: "/home/ada/app", there: "/srv/app" },
      { here: "/home/ada/app/lib", there: "/opt/lib" },
    ],
    "/",
  );

  test("are those of the other machine, by the innermost folder", () => {
    expect(map.toHere("/srv/app/src/a.ts")).toBe("/home/ada/app/src/a.ts");
    expect(map.toHere("/opt/lib/b.ts")).toBe("/home/ada/app/lib/b.ts");
    expect(map.toThere("/home/ada/app/lib/c.ts")).toBe("/opt/lib/c.ts");
    expect(map.toThere("/home/ada/app")).toBe("/srv/app");
  });

  test("that lie in no folder have no name on the other side", () => {
    expect(map.toHere("/srv/application/a.ts")).toBeUndefined();
    expect(map.toHere("/srv/app/../secret")).toBeUndefined();
    expect(map.toThere("/etc/passwd")).toBeUndefined();
  });

  test("come back exactly as they were said", () => {
    expect(map.toHere("/srv/app/./src//a.ts")).toBe("/home/ada/app/./src//a.ts");
    expect(map.toThere("/home/ada/app/./src//a.ts")).toBe("/srv/app/./src//a.ts");
    const windows = createPathMap([{ here: "C:\\app", there: "/srv/app" }], "\\");
    expect(windows.toHere("/srv/app/src/a.ts")).toBe("C:\\app\\src\\a.ts");
    expect(windows.toThere("C:\\app\\src\\b.ts")).toBe("/srv/app/src/b.ts");
  });
});

describe("folders", () => {
  const far = { ports: new Map(), tmp: "/tmp", home: "/home/bob", env: {}, uid: 1, pid: 1 };
  const at = (roots: readonly string[], there?: string) =>
    toMappings(roots, there === undefined ? undefined : { here: "/home/ada/app", there }, "/home/ada", far);

  test("lie at the same place in the home, or at the very same place", () => {
    expect(at(["/home/ada/app", "/srv/data", "/home/ada"])).toEqual([
      { here: "/home/ada/app", there: "/home/bob/app" },
      { here: "/srv/data", there: "/srv/data" },
      { here: "/home/ada", there: "/home/ada" },
    ]);
  });

  test("lie where the user says, and that is one of them alone, also when others come later", () => {
    expect(at(["/home/ada/app", "/home/ada/lib"], "~/code/app")).toEqual([
      { here: "/home/ada/app", there: "/home/bob/code/app" },
      { here: "/home/ada/lib", there: "/home/bob/lib" },
    ]);
    expect(at(["/home/ada/app"], "/srv/app")).toEqual([{ here: "/home/ada/app", there: "/srv/app" }]);
  });

  test("are called as agents have called them, also after others have been opened", () => {
    const folders = createSharedFolders();
    expect(folders.map.toHere("/srv/app/a.ts")).toBeUndefined();
    folders.share([{ here: "/here", there: "/srv/app" }]);
    expect(folders.map.toHere("/srv/app/./a.ts")).toBe("/here/./a.ts");
    folders.share([
      { here: "/here", there: "/srv/app" },
      { here: "/lib", there: "/srv/lib" },
    ]);
    expect(folders.map.toThere("/here/./a.ts")).toBe("/srv/app/./a.ts");
    expect(folders.map.toThere("/lib/b.ts")).toBe("/srv/lib/b.ts");
  });
});

describe("messages", () => {
  const map = createPathMap([{ here: "/here", there: "/there" }], "/");
  const call = (name: string, given: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });

  test("have their files' names translated, and no text", () => {
    const newContent = '{"filePath":"/there/a.ts","path":"/there"}';
    expect(toHere(call("openDiff", { filePath: "/there/a.ts", newContent }), map)).toEqual(
      call("openDiff", { filePath: "/here/a.ts", newContent }),
    );
    const content = '{"filePath":"/here/a.ts"}';
    const accepted = { method: "ide/diffAccepted", params: { filePath: "/here/b.ts", content } };
    expect(toThere(accepted, map)).toEqual({ ...accepted, params: { filePath: "/there/b.ts", content } });
    const closed = { id: 1, result: { content: [{ type: "text", text: content }] } };
    expect(toThere(closed, map)).toEqual(closed);
  });

  test("tell of no file that is not there", () => {
    const sent = (openFiles: object[]) => ({ params: { workspaceState: { openFiles, isTrusted: true } } });
    expect(toThere(sent([{ path: "/here/a.ts", isActive: true }, { path: "/etc/passwd" }]), map)).toEqual(
      sent([{ path: "/there/a.ts", isActive: true }]),
    );
    const found = (filePath: string) => ({ filePath, message: "wrong" });
    const answer = (diagnostics: object[]) => ({
      result: {
        content: [{ type: "text", text: JSON.stringify({ diagnostics, omitted: 0 }) }],
        structuredContent: { diagnostics, omitted: 0 },
      },
    });
    expect(toThere(answer([found("/here/a.ts"), found("/etc/b.ts")]), map)).toEqual(
      answer([found("/there/a.ts")]),
    );
  });

  test("are refused for a file that is not here, and where the companion would write", () => {
    expect(() => toHere(call("openDiff", { filePath: "/etc/passwd" }), map)).toThrow(
      "/etc/passwd lies outside",
    );
    expect(() => toHere(call("acceptDiff", { filePath: "/there/a.ts" }), map)).toThrow(
      "write the file yourself",
    );
  });
});

describe("the relay", () => {
  test("lets an agent that knows other names review a change, and tells it what is looked at", async () => {
    const core = await startCore();
    const map = createPathMap([{ here: core.root, there: "/there" }], path.sep);
    const port = await startPortRelay(startRelay, toFinding(core), map);
    const agent = await new WireClient(port, core.client().token).initialize();
    const stream = await agent.openStream();
    const file = path.join(core.root, "a.ts");
    writeFileSync(file, "old");
    core.editor.look({ files: [{ path: file, focusedAt: 1, selectedText: core.root }], activePath: file });
    const { params } = await stream.next((event) => JSON.stringify(event.params).includes("a.ts"));
    expect(params).toMatchObject({
      workspaceState: { openFiles: [{ path: "/there/a.ts", selectedText: core.root }] },
    });
    await agent.call("openDiff", { filePath: "/there/./a.ts", newContent: "é\r\n" });
    expect(core.editor.accept(`${core.root}/./a.ts`)).toEqual({ taken: true });
    expect((await stream.method("ide/diffAccepted")).params).toEqual({
      filePath: "/there/./a.ts",
      content: "é\r\n",
    });
    expect((await agent.call("openDiff", { filePath: "/etc/a", newContent: "" })).result).toMatchObject({
      isError: true,
    });
    await stream.close();
    await eventually(async () =>
      expect(
        JSON.stringify((await send(port, { method: "GET", path: "/health", headers: agent.headers })).body),
      ).toContain('streaming\\":false'),
    );
  });

  test("lets nobody in by another name, without a token, or to anything else", async () => {
    const core = await startCore();
    const port = await startPortRelay(startRelay, toFinding(core), createPathMap([], path.sep));
    const { headers } = core.client();
    const ask = (more: Record<string, string>, at = "/mcp") =>
      send(port, { headers: { ...headers, ...more }, path: at, body: "{}" });
    expect((await ask({ host: `evil.example:${port}` })).status).toBe(403);
    expect((await ask({ authorization: "Bearer wrong" })).status).toBe(401);
    expect((await ask({ origin: "http://127.0.0.1" })).status).toBe(403);
    expect((await ask({}, "/connected")).status).toBe(404);
    await core.companion.close();
    expect((await ask({})).status).toBe(502);
  });
});

describe("the far side", () => {
  vi.setConfig({ testTimeout: 120_000 });

  /** The script in a separate machine. */
  async function start(shell = "sh") {
    const folder = privateFolder();
    const env = { PATH: process.env.PATH, HOME: path.join(folder, "home"), TMPDIR: folder, QWEN_HOME: "/q" };
    const child = spawn(shell, ["-c", farSideScript(["QWEN_HOME", "UNSET"])], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const read = async () => (await lines.next()).value;
    const facts: string[] = [];
    for (let line = await read(); line !== "ready"; line = await read()) facts.push(line);
    const say = async (text: string) => {
      child.stdin.write(`${text}\n`);
      return read();
    };
    const at = (name: string) => path.join(folder, name);
    return { child, ended, facts, say, at, folder };
  }

  test.each(["sh", "bash", "dash"])(
    "in %s writes private files and removes them at the end",
    async (shell) => {
      const far = await start(shell);
      expect(far.facts).toEqual([
        `tmp=${far.folder}`,
        `home=${far.at("home")}`,
        `pid=${far.child.pid}`,
        `uid=${process.getuid?.()}`,
        "env_QWEN_HOME=/q",
        "env_UNSET=",
      ]);
      expect(await far.say(`folder ${far.at("gemini")}`)).toBe("ok");
      expect(await far.say(`folder ${far.at("gemini/it's a \\folder")}`)).toBe("ok");
      const file = far.at("gemini/it's a \\folder/x.json");
      expect(await far.say(`file ${file}\n{"a":"\\\\n $HOME"}`)).toBe("ok");
      expect(readFileSync(file, "utf8")).toBe('{"a":"\\\\n $HOME"}\n');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
      far.child.stdin.write("beat\n");
      far.child.stdin.end();
      await far.ended;
      expect(existsSync(file)).toBe(false);
      expect(readdirSync(far.folder)).toEqual(["gemini"]);
    },
  );

  test("removes its sockets at the end, and no other one that has their names by then", async () => {
    const far = await start();
    const bind = async (file: string) => {
      const server = createServer();
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => server.listen(file, resolve));
      return server;
    };
    const own = far.at("ide-companion-1-forward/x.sock");
    const shared = far.at("ipc.sock");
    expect(await far.say(`folder ${path.dirname(own)}`)).toBe("ok");
    expect(await far.say(`own ${own}`)).toBe(`no ${own} cannot be made there`);
    expect(await far.say(`socket ${shared}`)).toBe(`no there is no socket ${shared} there`);
    for (const file of [own, shared]) {
      await bind(file);
      expect(await far.say(`socket ${file}`)).toBe("ok");
      expect(await far.say(`own ${file}`)).toBe("ok");
    }
    rmSync(shared);
    await bind(shared);
    far.child.stdin.end();
    await far.ended;
    expect(readdirSync(far.folder)).toEqual(["ipc.sock"]);
  });

  test("makes way for a socket, and leaves everything else alone", async () => {
    const far = await start();
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(far.at("x.sock"), resolve));
    writeFileSync(far.at("notes"), "");
    expect(await far.say(`vacate ${far.at("x.sock")}`)).toBe("ok");
    expect(await far.say(`vacate ${far.at("notes")}`)).toBe(`no ${far.at("notes")} is no socket there`);
    expect(readdirSync(far.folder).filter((name) => !name.startsWith("ide-companion"))).toEqual(["notes"]);
  });

  test("gives its files another content in the same place, and no other one", async () => {
    const far = await start();
    writeFileSync(far.at("theirs"), "theirs");
    expect(await far.say(`file ${far.at("x")}\n{"a":1}`)).toBe("ok");
    const { ino } = statSync(far.at("x"));
    expect(await far.say(`rewrite ${far.at("x")}\n{"a":2}`)).toBe("ok");
    expect(readFileSync(far.at("x"), "utf8")).toBe('{"a":2}\n');
    expect(statSync(far.at("x")).ino).toBe(ino);
    expect(await far.say(`rewrite ${far.at("theirs")}\nx`)).toBe(
      `no ${far.at("theirs")} cannot be written there`,
    );
  });

  test("says what it cannot do", async () => {
    const far = await start();
    mkdirSync(far.at("real"));
    symlinkSync(far.at("real"), far.at("link"));
    expect(await far.say(`folder ${far.at("link")}`)).toBe(
      `no ${far.at("link")} is no folder of yours there`,
    );
    expect(await far.say(`file ${far.at("none/x")}\nx`)).toBe(
      `no ${far.at("none/x")} cannot be written there`,
    );
    expect(await far.say(`check ${far.at("none")}`)).toBe(`no there is no folder ${far.at("none")} there`);
    expect(await far.say(`check ${far.at("link")}`)).toBe(`ok ${realpathSync(far.at("real"))}`);
  });

  test("removes its files when the connection is cut, or breaks without a word", async () => {
    for (const how of ["cut", "silent"]) {
      const far = await start();
      expect(await far.say(`file ${far.at("x")}\nx`)).toBe("ok");
      if (how === "cut") far.child.kill("SIGHUP");
      else {
        const list = readdirSync(far.folder).find((name) => name.startsWith("ide-companion-forward")) ?? "";
        utimesSync(far.at(list), new Date(0), new Date(0));
      }
      await far.ended;
      expect(readdirSync(far.folder)).toEqual([]);
    }
  });
});
