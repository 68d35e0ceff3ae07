import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  createSandbox,
  installExecutable,
  type Sandbox,
  serve,
  start,
  startProgram,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

describe("run", () => {
  /** A stand-in for Gemini CLI that shows what it was given. */
  function install(sandbox: Sandbox, script: string): void {
    const file = path.join(sandbox.bin, "gemini");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  test("starts the CLI with its own arguments, bound to this folder's companion, and ends as it does", async () => {
    const sandbox = createSandbox();
    install(sandbox, 'echo "$GEMINI_CLI_IDE_SERVER_PORT|$GEMINI_CLI_IDE_PID|$NO_PROXY|$1|$2"; exit 7');
    const companion = await serve(sandbox);
    const port = /Port +(\d+)/.exec(companion.text)?.[1];
    const run = start(sandbox, ["run", "gemini", "--", "-p", "two words"], {
      env: { HTTP_PROXY: "http://p" },
    });
    expect(await run.end).toBe(7);
    expect(run.text).toBe(`${port}|${companion.child.pid}|127.0.0.1,localhost|-p|two words\n`);
  });

  test.each(["sub", "link", "other"])("finds the companion from %s", async (place) => {
    const sandbox = createSandbox();
    const other = path.join(sandbox.folder, "second");
    mkdirSync(path.join(sandbox.app, "sub"));
    mkdirSync(other);
    symlinkSync(path.join(sandbox.app, "sub"), path.join(sandbox.folder, "link"));
    install(sandbox, "exit 7");
    await serve(sandbox, [".", other]);
    const cwd =
      { sub: path.join(sandbox.app, "sub"), link: path.join(sandbox.folder, "link"), other }[place] ?? "";
    expect(await start(sandbox, ["run", "gemini"], { cwd }).end).toBe(7);
  });

  test("runs in a session of tmux, of which no token is an argument, or without it where there is none", async () => {
    const sandbox = createSandbox();
    install(sandbox, "exit 7");
    const tmux = path.join(sandbox.bin, "tmux");
    writeFileSync(tmux, '#!/bin/sh\nprintf "%s " "TMUX=$TMUX" "$@"\n');
    chmodSync(tmux, 0o755);
    await serve(sandbox);
    const [names, call] = [
      ["run", "--tmux", "gemini:2"],
      ["gemini", "--", "fix;"],
    ];
    const env = {
      ...{ TMUX: "/outer,1,0", GEMINI_CLI_IDE_SERVER_PORT: "4711" },
      GEMINI_CLI_IDE_AUTH_TOKEN: "s3cret",
    };
    const run = start(sandbox, [...names, ...call], { env });
    expect(await run.end).toBe(0);
    expect(run.text).toMatch(/^TMUX= new-session -A -s gemini_2-app-[0-9a-f]{6} -c \S+app -e /);
    expect(run.text).toMatch(/-e GEMINI_CLI_IDE_SERVER_PORT=4711 .*-e GEMINI_CLI_IDE_AUTH_TOKEN= /);
    expect(run.text).toMatch(/ run gemini -- fix\\; ; set-option -t =gemini_2-\S+: status off $/);
    expect(run.text).not.toContain("s3cret");
    rmSync(tmux);
    const without = start(sandbox, ["run", "--tmux", "a", "gemini"], { env: { PATH: sandbox.bin } });
    expect(await without.end).toBe(7);
    expect(without.text).toContain("There is no tmux in your PATH: the agent ends with this terminal.");
  });

  test("passes signals on, and ends by the CLI's signal", async () => {
    const sandbox = createSandbox();
    const script = path.join(sandbox.folder, "waits.mjs");
    writeFileSync(
      script,
      'process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1e6); console.log("ready");',
    );
    install(sandbox, `exec node ${script}`);
    await serve(sandbox);
    const run = start(sandbox, ["run", "gemini"]);
    await run.until(/ready/);
    run.child.kill("SIGTERM");
    expect(await run.end).toBe(9);

    install(sandbox, "kill -KILL $$");
    expect(await start(sandbox, ["run", "gemini"]).end).toBe(137);
  });

  test("stops with a CLI that stops itself, and goes on with it", async () => {
    const sandbox = createSandbox();
    installExecutable(sandbox);
    install(sandbox, "kill -STOP $$; echo back; exit 7");
    await serve(sandbox);
    const shell = startProgram(sandbox, "script", ["-qfec", "bash --norc -i", "/dev/null"], {
      stdin: "pipe",
      ownGroup: true,
    });
    shell.child.stdin?.write("ide-companion run gemini\n");
    await shell.until(/Stopped +ide-companion run gemini/);
    shell.child.stdin?.write("fg; echo ended with $?\n");
    await shell.until(/back\s+ended with 7/);
    shell.child.stdin?.write("exit\n");
    expect(await shell.end).toBe(0);
  });

  test("takes the newest of several companions, and says so", async () => {
    const sandbox = createSandbox();
    install(sandbox, 'echo "$GEMINI_CLI_IDE_SERVER_PORT"');
    const older = await serve(sandbox);
    const newer = await serve(sandbox, ["--no-agent-accept"]);
    const [first, second] = [older, newer].map((run) => /Port +(\d+)/.exec(run.text)?.[1]);
    const run = start(sandbox, ["run", "gemini"]);
    expect(await run.end).toBe(0);
    expect(run.text).toContain(
      `2 companions serve this folder. Using Review page on port ${second}, not Review page on port ${first}.`,
    );
    expect(run.text).toMatch(new RegExp(`^${second}$`, "m"));

    const bound = start(sandbox, ["run", "gemini"], { env: { GEMINI_CLI_IDE_SERVER_PORT: first ?? "" } });
    await bound.end;
    expect(bound.text).toMatch(new RegExp(`^${first}$`, "m"));
  });

  test("takes the innermost of nested folders, also when the outer companion is newer", async () => {
    const sandbox = createSandbox();
    install(sandbox, 'echo "$GEMINI_CLI_IDE_SERVER_PORT"');
    const sub = path.join(sandbox.app, "sub");
    mkdirSync(sub);
    const inner = await serve(sandbox, ["sub"]);
    const outer = await serve(sandbox);
    const [innerPort, outerPort] = [inner, outer].map((run) => /Port +(\d+)/.exec(run.text)?.[1]);
    await outer.until(
      new RegExp(
        `${sub} is served by Review page on port ${innerPort}: ide-companion run takes that one there`,
      ),
    );
    const run = start(sandbox, ["run", "gemini"], { cwd: sub });
    await run.end;
    expect(run.text).toMatch(new RegExp(`^${innerPort}$`, "m"));
    const above = start(sandbox, ["run", "gemini"]);
    await above.end;
    expect(above.text).toBe(`${outerPort}\n`);
  });

  test("without a companion says how to start one, and which folders others serve", async () => {
    const sandbox = createSandbox();
    await serve(sandbox);
    const elsewhere = path.join(sandbox.folder, "it's here");
    mkdirSync(elsewhere);
    const run = start(sandbox, ["run", "gemini"], { cwd: elsewhere });
    expect(await run.end).toBe(1);
    expect(run.text).toContain(`error: no companion serves ${elsewhere} for Gemini CLI`);
    expect(run.text).toContain(`ide-companion '${path.join(sandbox.folder, "it'\\''s here")}'`);
    expect(run.text).toMatch(new RegExp(`Review page on port \\d+ {2}${sandbox.app}`));
  });

  /** Types what a message says after these words, as it stands. */
  function follow(
    sandbox: Sandbox,
    text: string,
    before: string,
    cwd: string,
    env: Record<string, string> = {},
  ) {
    const [, command = ""] = text.split(before);
    return startProgram(sandbox, "sh", ["-c", command.split("\n")[0] ?? ""], { cwd, env, ownGroup: true });
  }

  test("names a temp folder that is not the companion's, and starts the CLI as it says", async () => {
    const sandbox = createSandbox();
    installExecutable(sandbox);
    install(sandbox, "exit 7");
    const theirs = path.join(sandbox.folder, "their's tmp");
    mkdirSync(theirs);
    const env = { TMPDIR: theirs };
    await serve(sandbox, [], { env });
    const run = start(sandbox, ["run", "gemini"]);
    expect(await run.end).toBe(1);
    expect(run.text).toContain(
      `error: the companion of ${sandbox.app} was started with another TMPDIR: Gemini CLI does not find its files`,
    );
    expect(await follow(sandbox, run.text, "Use the same one: ", sandbox.app).end).toBe(7);
  });

  test("says of a companion to be started with which temp folder it is found", async () => {
    const sandbox = createSandbox();
    installExecutable(sandbox);
    install(sandbox, "exit 7");
    const run = start(sandbox, ["run", "gemini"]);
    await run.end;
    const elsewhere = { TMPDIR: sandbox.folder };
    const companion = follow(sandbox, run.text, "Start one in another terminal: ", sandbox.home, elsewhere);
    await companion.until(/Restart one that is running/);
    expect(await start(sandbox, ["run", "gemini"]).end).toBe(7);
  });

  test("names a folder that no CLI takes for one, and works after the remedy", async () => {
    const sandbox = createSandbox();
    installExecutable(sandbox);
    install(sandbox, "exit 7");
    const folder = path.join(sandbox.folder, "it's:mine", "a:b");
    mkdirSync(folder, { recursive: true });
    await serve(sandbox, [folder]);
    const run = start(sandbox, ["run", "gemini"], { cwd: folder });
    expect(await run.end).toBe(1);
    expect(run.text).toContain(`error: ${folder} has ":" in its path, at which agent CLIs split it`);
    const companion = follow(sandbox, run.text, "Rename it, and start a companion: ", folder);
    await companion.until(/Restart one that is running/);
    const renamed = path.join(sandbox.folder, "it's-mine", "a-b");
    expect(await start(sandbox, ["run", "gemini"], { cwd: renamed }).end).toBe(7);
  });

  test.each([
    ["copilot", "Copilot CLI"],
    ["codex", "Codex CLI"],
  ])("does not start %s next to a companion that serves others alone", async (command, name) => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.bin, command), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    const companion = await serve(sandbox, ["--agent", "gemini"]);
    const port = /Port +(\d+)/.exec(companion.text)?.[1];
    const run = start(sandbox, ["run", command]);
    expect(await run.end).toBe(1);
    expect(run.text).toContain(
      `error: the companion of ${sandbox.app}, Review page on port ${port}, does not serve ${name}\n`,
    );
    expect(run.text).toContain("Start one that does in another terminal: ");
    await serve(sandbox, ["--agent", command]);
    expect(await start(sandbox, ["run", command]).end).toBe(7);
  });

  test("says how to install a CLI that is missing", async () => {
    const sandbox = createSandbox();
    await serve(sandbox);
    const run = start(sandbox, ["run", "qwen"], { env: { PATH: sandbox.bin } });
    expect(await run.end).toBe(127);
    expect(run.text).toContain("Qwen Code is not installed: there is no qwen in your PATH");
    expect(run.text).toContain("npm install --global @qwen-code/qwen-code");
  });
});
