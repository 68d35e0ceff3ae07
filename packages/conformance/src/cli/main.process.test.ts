import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { claudeCode } from "../contracts/claude-code/contract.ts";
import { geminiFamily } from "../contracts/gemini-family/contract.ts";
import { findCompanions } from "../contracts/gemini-family/target/target.ts";
import { systemFoldersIn } from "../target/folders.ts";
import { startOurCopilot } from "../testing/copilot-proxy.ts";
import { startOurFamily } from "../testing/family-proxy.ts";
import { buildKit } from "../testing/kit-program.ts";

const { script, example, newFolder, run } = buildKit();

test.concurrent("of a companion whose second session breaks the first, one check fails and the others stand alone", async () => {
  const to = path.join(newFolder(), "r.json");
  const checks = ["initialize", "ping", "malformed", "several-clis", "stream-reopens", "own-session"];
  const chosen = checks.flatMap((id) => ["--check", id]);
  const broken = [...example, "several-clis"];
  const { code, stdout } = await run([...chosen, "--json", to, "--", ...broken]);
  expect(code, stdout).toBe(1);
  const { results } = JSON.parse(readFileSync(to, "utf8"));
  const statuses = results.map(({ check, status }: { check: string; status: string }) => [check, status]);
  expect(Object.fromEntries(statuses)).toMatchObject({ "several-clis": "failed", ping: "passed" });
  const failed = results.filter(({ status }: { status: string }) => status === "failed");
  expect(failed, stdout).toHaveLength(1);
  const own = results.find(({ check }: { check: string }) => check === "own-session");
  expect(own).toMatchObject({
    status: "not-run",
    message: "it needs several CLIs at once, which this companion leaves unanswered: see several-clis",
  });
});

test.concurrent("a good companion passes every check, driven from outside, and the report says so", async () => {
  const report = path.join(newFolder(), "r.json");
  const hook = ["--editor-command", `"${process.execPath}" "${script("editor-command")}"`];
  const limits = ["--patience", "4", "--silence", "1"];
  const { code, stdout, stderr } = await run([...limits, ...hook, "--json", report, "--", ...example]);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  const { results } = JSON.parse(readFileSync(report, "utf8"));
  expect(results).toHaveLength(geminiFamily.checks.length);
  const gaps = results.filter((result: { status: string }) => result.status !== "passed");
  const names = gaps.map((result: { check: string }) => result.check);
  // A keep-alive may or may not come within one second.
  expect(names.filter((name: string) => name !== "keep-alive")).toEqual(["stdio-offer"]);
  expect(stdout).toContain("The companion fulfils the contract.");
}, 180_000);

test.concurrent("--agent chooses the contract: a good companion of Claude Code passes every check of it", async () => {
  const to = newFolder();
  const report = path.join(to, "r.json");
  const hook = ["--editor-command", `"${process.execPath}" "${script("editor-command")}"`];
  const { code, stdout, stderr } = await run([
    ...["--agent", "claude-code", "--strict", "--patience", "4", "--json", report, ...hook],
    ...["--", process.execPath, script("example-process"), "claude-code"],
  ]);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("The companion fulfils the contract.");
  const { results } = JSON.parse(readFileSync(report, "utf8"));
  expect(results).toHaveLength(claudeCode.checks.length);
  expect(results.filter((result: { status: string }) => result.status !== "passed")).toEqual([]);
}, 180_000);

test.concurrent("an agent that the kit does not know is refused", async () => {
  const { code, stderr } = await run(["--agent", "nobody", "--list"]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "--agent must be one of gemini, qwen, claude-code, codex-cli, copilot-cli, hooks, got nobody",
  );
});

test.concurrent("a broken rule fails with its evidence", async () => {
  const wanted = ["--check", "initialized", "--check", "ping"];
  const broken = ["--", ...example, "initialized"];
  const first = await run([...wanted, "--verbose", ...broken]);
  expect(first.code).toBe(1);
  expect(first.stdout).toContain(
    "MUST broken: `notifications/initialized`, like every notification, is answered 202 with no body",
  );
  expect(first.stdout).toContain("notifications/initialized must be answered 202, got 200");
  expect(first.stdout).toContain('→ POST /mcp {"jsonrpc":"2.0","method":"notifications/initialized"}');
});

test.concurrent("a companion that ends during the run is reported with its last words, without its token", async () => {
  const folder = newFolder();
  const [companion, report] = [path.join(folder, "companion.mjs"), path.join(folder, "report.json")];
  writeFileSync(
    companion,
    `import { readdirSync, readFileSync } from "node:fs";
    import { join } from "node:path";
    await import(${JSON.stringify(pathToFileURL(script("example-process")).href)});
    setTimeout(() => {
      const names = readdirSync(process.env.TMPDIR, { recursive: true }).map(String);
      const file = names.find((name) => /gemini-ide-server-.*json$/.test(name));
      console.log(JSON.parse(readFileSync(join(process.env.TMPDIR, file), "utf8")).authToken);
      throw new Error("out of memory");
    }, 1000);`,
  );
  const wanted = ["--check", "keep-alive", "--json", report];
  const { code, stdout } = await run([...wanted, "--", process.execPath, companion, "gemini"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /The companion is gone: it ended with 1 during the run; it has printed:\n {4}<token>\n(?: {4}.*\n)* {4}Error: out of memory\n/,
  );
  expect(JSON.parse(readFileSync(report, "utf8")).ended).toMatch(/^it ended with 1 .*\n<token>\n/);
});

test.concurrent("a report whose file cannot be written does not cost the one that is printed", async () => {
  const { code, stdout, stderr } = await run(["--check", "ping", "--json", newFolder(), "--", ...example]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("EISDIR")]);
  expect(stdout).toContain("The companion fulfils the contract.");
});

test.concurrent("without an editor command what needs one is not run, and not passed", async () => {
  const { code, stdout } = await run(["--check", "acceptance", "--check", "ping", "--", ...example]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Not run: acceptance: needs --editor-command")]);
});

test.concurrent("a run that checks no rule does not say that the companion follows the contract", async () => {
  const { code, stdout } = await run(["--check", "acceptance", "--", ...example]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/\n\nNo rule was checked\. 1 not run, .* s\.\n$/),
  ]);
});

test.concurrent("a running companion is found by its discovery files, by its port, and by its address and token", async ({
  onTestFinished,
}) => {
  const folder = newFolder();
  const systemFolders = systemFoldersIn(folder);
  const work = path.join(folder, "work");
  for (const made of [systemFolders.tmp, work]) mkdirSync(made);
  const running = await startOurFamily({ systemFolders, folders: [work] });
  onTestFinished(() => running.close());
  const token = (await findCompanions(systemFolders))[0]?.tokens.get("qwen") ?? "";
  const url = `http://127.0.0.1:${running.port}/mcp`;
  const calls: readonly (readonly [args: readonly string[], env: NodeJS.ProcessEnv])[] = [
    [[], {}],
    [["--port", String(running.port)], {}],
    [["--url", url, "--token", token, "--agent", "qwen"], {}],
    [["--url", url, "--agent", "qwen"], { IDE_COMPANION_TOKEN: token }],
  ];
  for (const [args, env] of calls) {
    const { code, stdout } = await run(["--check", "ping", "--check", "close-diff-json", ...args], {
      folder,
      env,
    });
    expect([code, stdout], args.join(" ")).toEqual([0, expect.stringContaining(`port ${running.port}`)]);
    expect(stdout.includes("Not run: close-diff-json")).toBe(args.includes("--url"));
  }
  const { code, stderr } = await run(["--check", "ping", "--url", url], { folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining("this companion needs a token: --token")]);
});

test.concurrent("a companion without a token and without discovery files is checked, and one rule says that it has none", async ({
  onTestFinished,
}) => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const checks = ["helpful-refusal", "long-token", "quiet-refusal", "refused-by-head", "token-always"];
  const chosen = checks.flatMap((id) => ["--check", id]);
  const { code, stdout } = await run([...chosen, "--url", `http://127.0.0.1:${port}/mcp`]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("4 checks: this companion needs no token: see"),
  ]);
});

test.concurrent("a running companion of Copilot CLI is found by its lock file, unless there are several", async ({
  onTestFinished,
}) => {
  const folder = newFolder();
  const work = path.join(folder, "work");
  mkdirSync(work);
  const home = path.join(folder, "copilot");
  const start = async () => {
    const running = await startOurCopilot({ home, folders: [work] });
    onTestFinished(() => running.close());
  };
  const check = ["--agent", "copilot-cli", "--check", "initialize", "--check", "one-lock"];
  await start();
  const { code, stdout } = await run(check, { folder });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Not run: one-lock: needs a command")]);
  expect(stdout).toMatch(/^Core {2}.*copilot\.sock, for Copilot CLI$/m);
  await start();
  const several = await run(check, { folder });
  expect([several.code, several.stderr]).toEqual([2, expect.stringContaining("several companions serve")]);
});

test.concurrent.each([
  ["claude-code", "lock-removed"],
  ["codex-cli", "socket-removed"],
  ["copilot-cli", "lock-removed"],
])("a companion of %s that does not end is not said to have closed everything: %s", async (agent, check) => {
  const companion = path.join(newFolder(), "companion.mjs");
  const examples = pathToFileURL(script("example-process")).href;
  writeFileSync(companion, `setInterval(() => {}, 1000); await import(${JSON.stringify(examples)});`);
  const options = ["--agent", agent, "--check", check, "--patience", "0.25"];
  const { code, stdout } = await run([...options, "--", process.execPath, companion, agent]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("it did not end within 5 s after SIGTERM")]);
});

test.concurrent.each([
  [3, [], "has"],
  [3, ["--", process.execPath, "-e", "console.log('not me')"], "not me"],
  [
    3,
    ["--", process.execPath, "-e", String.raw`console.log("\x1b[2J\x1b[H\x07not me")`],
    "printed:\nnot me\n",
  ],
  [3, ["--", "/no/such/program"], "could not be started"],
  [2, ["--prot", "1"], "there is no option --prot"],
  [2, ["--port"], "--port needs a PORT"],
  [2, ["--"], "a command must follow --"],
  [3, ["--url", "http://127.0.0.1:1/mcp"], "no process listens on port 1"],
  [2, ["--url", "127.0.0.1", "--token", "x"], "must be like http://127.0.0.1:PORT/mcp"],
  [2, ["--url", "http://10.0.0.5:1/mcp", "--token", "x"], "must be like http://127.0.0.1:PORT/mcp"],
  [2, ["--url", "http://127.0.0.1:1/sse", "--token", "x"], "must be like http://127.0.0.1:PORT/mcp"],
  [2, ["--url", "http://127.0.0.1:1/mcp", "--port", "1"], "--url and --port both name the companion"],
  [2, ["--token", "x"], "--token is for --url"],
  [3, ["--url", "http://127.0.0.1:1/mcp", "--token", "x"], "no process listens on port 1"],
  [3, ["--agent", "copilot-cli"], "copilot/ide has"],
  [2, ["--agent", "copilot-cli", "--port", "1"], "by a lock file in its own folder, not by --port"],
  [2, ["--group", "colours"], "--group must be one of transport"],
  [2, ["--check", "colour"], "there is no check colour"],
  [2, ["--json", "--strict"], "--json needs a FILE"],
  [2, ["--json="], "--json needs a FILE"],
  [2, ["--port", "abc"], "--port must be a number from 1 to 65535, got abc"],
  [2, ["--agent", "claude-code", "--port", "65536"], "--port must be a number from 1 to 65535, got 65536"],
  [2, ["--patience", "0"], "--patience must be a number above 0"],
  [2, ["--patience", "Infinity"], "--patience must be a number above 0, and at most 1000, got Infinity"],
  [2, ["--silence", "3000000"], "--silence must be a number above 0, and at most 86400"],
  [2, ["--json", "no/such.json"], "--json no/such.json cannot be written: there is no folder"],
])("exit code %i for %j", async (code, args, said) => {
  const result = await run(args);
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
});

test.concurrent("help and the list of rules go to standard output", async () => {
  expect((await run(["--help"])).stdout).toContain("accept PATH");
  expect((await run(["--list"])).stdout).toMatch(/T8 +MUST .*\n +initialized/);
});
