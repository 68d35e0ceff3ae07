import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectCompanion } from "../../packages/companion/src/client/index.ts";
import type { DecisionResult } from "../../packages/companion/src/core/editor.ts";
import { executable } from "../../packages/testkit/src/companion-process.ts";
import { run } from "../../packages/testkit/src/run.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { spawnLanguageServer } from "../harness/language-server.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { clientOf, discoveryFiles, portsOf, startCompanion } from "./companion.ts";
import { demand, fault, needsLinux, standstill } from "./fixture.ts";
import { openPage, startReview } from "./page.ts";

fault(
  "a CLI whose stream breaks just before the companion is stopped is still known afterwards",
  async (sandbox) => {
    const { companion, page, cli, stream } = await startReview(sandbox, {
      args: ["--no-open", "--log-level", "debug"],
    });
    const filePath = join(sandbox.workspace, "reopened.txt");
    await cli.call("openDiff", { filePath, newContent: "proposed\n" });
    const id = await page.proposal(filePath);
    await stream.close();
    await companion.says(/stream closed/);
    companion.child.kill("SIGSTOP");
    const reopening = cli.openStream();
    // Longer than a session without a stream lives.
    await delay(Math.max(standstill, 11_000));
    companion.child.kill("SIGCONT");
    const reopened = await reopening;
    page.say({ type: "diffAccepted", id, revision: 0, content: "proposed, edited\n" });
    const { params } = await reopened.method("ide/diffAccepted");
    demand(params.content === "proposed, edited\n", "the decision arrives");
  },
  needsLinux,
);

fault(
  "a request to a stopped companion is answered once, when it continues",
  async (sandbox) => {
    const { companion, page, cli, stream } = await startReview(sandbox);
    const filePath = join(sandbox.workspace, "asked.txt");
    companion.child.kill("SIGSTOP");
    const asked = cli.call("openDiff", { filePath, newContent: "asked\n" });
    await delay(standstill);
    companion.child.kill("SIGCONT");
    demand((await asked).result, "openDiff is answered");
    const id = await page.proposal(filePath);
    companion.child.kill("SIGSTOP");
    page.say({ type: "diffAccepted", id, revision: 0, content: "decided\n" });
    page.say({ type: "diffAccepted", id, revision: 0, content: "decided twice\n" });
    await delay(standstill);
    companion.child.kill("SIGCONT");
    await stream.method("ide/diffAccepted");
    await cli.call("openDiff", { filePath, newContent: "after\n" });
    const outcomes = stream.events.filter(({ method }) => method.startsWith("ide/diff"));
    demand(outcomes.length === 1 && outcomes[0]?.params.content === "decided\n", JSON.stringify(outcomes));
  },
  needsLinux,
);

fault(
  "a stopped CLI delays no other client, and gets the decision when it continues",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    const page = await openPage(sandbox, companion.link);
    const filePath = join(sandbox.workspace, "slept.txt");
    const { token } = companion.client();
    const program = `
    import { connectCompanion } from "ide-companion/client";
    const client = await connectCompanion({ port: ${companion.port}, token: ${JSON.stringify(token)} });
    const outcome = await client.openDiff(${JSON.stringify(filePath)}, "slept\\n");
    console.log(JSON.stringify(outcome));
    await client.close();`;
    const sleeper = sandbox.own(
      spawn(process.execPath, ["--input-type=module", "--eval", program], {
        // From here Node finds the package that the program imports.
        cwd: import.meta.dirname,
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    let said = "";
    sleeper.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = once(sleeper, "close");
    const id = await page.proposal(filePath);
    sleeper.kill("SIGSTOP");
    page.say({ type: "diffAccepted", id, revision: 0, content: "decided\n" });
    const wakes = performance.now() + standstill;
    let slowest = 0;
    while (performance.now() < wakes) {
      const begun = performance.now();
      await companion.proveThatItServes();
      slowest = Math.max(slowest, performance.now() - begun);
      await delay(100);
    }
    demand(slowest < 5000, `other clients do not wait for it: ${Math.round(slowest)} ms`);
    sleeper.kill("SIGCONT");
    await ended;
    demand(
      said === `${JSON.stringify({ kind: "accepted", content: "decided\n" })}\n`,
      `it gets the decision: ${said}`,
    );
  },
  needsLinux,
);

fault(
  "what is typed in a plugin's diff while its companion stands still is accepted as typed",
  async (sandbox) => {
    const { editor, cli, filePath, opened } = await proposeToPlugin(sandbox, { stopAt: "openDiff" });
    await editor.type("typed\n");
    await delay(Math.max(standstill, 11_000));
    editor.wake();
    await opened;
    const accepted = { id: editor.id(), content: "typed\n" };
    const { taken } = await editor.connection.sendRequest<DecisionResult>("companion/diffAccepted", accepted);
    demand(taken, "the diff is still there to be decided");
    const { error } = await cli.call("closeDiff", { filePath });
    demand(error === undefined, "its agent is answered");
  },
  needsLinux,
);

fault(
  "what is typed in a plugin's diff that is closed by a companion that stands still can be recovered",
  async (sandbox) => {
    const { editor, cli, filePath, opened } = await proposeToPlugin(sandbox, { stopAt: "closeDiff" });
    await opened;
    const closed = cli.call("rejectDiff", { filePath });
    await editor.isStopped;
    await editor.type("typed\n");
    await delay(Math.max(standstill, 6_000));
    editor.wake();
    await closed;
    const params = { list: "edits", id: await editor.recovered(), action: "restore" };
    const { put } = await editor.connection.sendRequest<{ put: { content: string } }>(
      "companion/act",
      params,
    );
    demand(put.content === "typed\n", `it can be recovered: ${put.content}`);
  },
  needsLinux,
);

fault(
  "a stopped companion is reported as stopped by status, and by a connection that fails",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    const { token } = companion.client();
    companion.child.kill("SIGSTOP");
    const options = { env: sandbox.env, cwd: sandbox.workspace };
    const { stdout } = await run(process.execPath, [executable, "status"], options);
    demand(stdout.includes("does not answer within a second"), stdout);
    const failure = await connectCompanion({ port: companion.port, token }).catch(
      (error: Error) => error.message,
    );
    demand(
      failure === "the companion has not answered for 10 s: its process may be stopped",
      String(failure),
    );
    companion.child.kill("SIGCONT");
    await companion.proveThatItServes();
  },
  needsLinux,
);

fault(
  "a companion that is stopped when it gets SIGTERM removes its files when it continues",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    companion.child.kill("SIGSTOP");
    companion.child.kill("SIGTERM");
    await delay(standstill);
    companion.child.kill("SIGCONT");
    demand((await companion.end) === 143, "it ends");
    demand(discoveryFiles(sandbox).length === 0, "no file is left");
  },
  needsLinux,
);

/** An agent's proposal on its way to an editor with a plugin, which stops its companion as it answers this. */
async function proposeToPlugin(sandbox: Sandbox, { stopAt }: { stopAt: "openDiff" | "closeDiff" }) {
  const { companion, connection, initialize } = spawnLanguageServer(sandbox);
  const { child, output } = companion;
  let text = "proposed\n";
  let id = "";
  let wasTyped = () => {};
  const typed = new Promise<void>((resolve) => {
    wasTyped = resolve;
  });
  const isStopped = new Promise<void>((resolve) => {
    const answer = (method: "openDiff" | "closeDiff", result: () => unknown) =>
      connection.onRequest(`companion/${method}`, (params: { id: string }) => {
        id = params.id;
        if (method === stopAt) child.kill("SIGSTOP");
        if (method === stopAt) resolve();
        return result();
      });
    answer("openDiff", () => null);
    answer("closeDiff", () => typed.then(() => ({ content: text })));
  });
  let offered: string | undefined;
  connection.onNotification("companion/news", ({ row }: { row?: { id: string } }) => {
    offered = row?.id;
  });
  connection.listen();
  await initialize({ experimental: { ideCompanion: { version: 1 } } });
  await poll("port", () => portsOf(sandbox)[0], { describe: output });
  const cli = await clientOf(sandbox, "gemini").initialize();
  const filePath = join(sandbox.workspace, "typed.txt");
  const opened = cli.call("openDiff", { filePath, newContent: text });
  if (stopAt === "openDiff") await isStopped;
  const editor = {
    connection,
    isStopped,
    /** Of the proposal, once it has come. */
    id: () => id,
    /** Resolves with the id of what the user is offered. */
    recovered: () => poll("recovered edits", () => offered, { describe: output }),
    wake: () => void child.kill("SIGCONT"),
    async type(next: string) {
      text = next;
      connection.sendRequest("companion/draft", { id, content: next }).catch(() => {}); // it stands still
      wasTyped();
    },
  };
  return { editor, cli, filePath, opened };
}
