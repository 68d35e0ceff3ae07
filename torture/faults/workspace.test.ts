import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../packages/testkit/src/companion-process.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { demand, fault } from "./fixture.ts";
import { startReview } from "./page.ts";

fault(
  "a workspace that is renamed under review leaves the proposal to be decided, and is served when it is back",
  async (sandbox) => {
    const { workspace } = sandbox;
    const filePath = join(workspace, "moved.txt");
    writeFileSync(filePath, "before\n");
    const { companion, page, cli, stream } = await startReview(sandbox);
    await cli.call("openDiff", { filePath, newContent: "after\n" });
    const id = await page.proposal(filePath);
    const focus = () =>
      page.say({
        type: "context",
        files: [{ path: filePath, focusedAt: 1 }],
        activePath: filePath,
        focused: true,
      });
    focus();
    await stream.next(({ params }) => JSON.stringify(params).includes("moved.txt"));
    renameSync(workspace, `${workspace}-renamed`);
    const isEmpty = ({ params }: (typeof stream.events)[number]) =>
      JSON.stringify(params).includes('"openFiles":[]');
    await poll("context without the file that is gone", () => isEmpty(stream.events.at(-1) ?? fail()));
    const { revision } = await poll("notice that the file is gone", () =>
      page.received
        .filter((message) => message.type === "draft")
        .find(({ against }) => against?.original.kind === "missing"),
    );
    page.say({ type: "diffAccepted", id, revision, content: "after, edited\n" });
    demand(
      (await stream.method("ide/diffAccepted")).params.content === "after, edited\n",
      "the decision arrives",
    );
    demand(
      readFileSync(join(`${workspace}-renamed`, "moved.txt"), "utf8") === "before\n" &&
        !existsSync(workspace),
      "nothing was written",
    );
    renameSync(`${workspace}-renamed`, workspace);
    focus();
    await poll("context with the file that is back", () => !isEmpty(stream.events.at(-1) ?? fail()));
    await companion.proveThatItServes();
  },
);

fault(
  "a change and a deletion of a file under review are shown, and nothing is accepted that was not seen",
  async (sandbox) => {
    const filePath = join(sandbox.workspace, "changed.txt");
    writeFileSync(filePath, "before\n");
    const { companion, page, cli, stream } = await startReview(sandbox);
    await cli.call("openDiff", { filePath, newContent: "after\n" });
    const id = await page.proposal(filePath);
    const drafts = () => page.received.filter((message) => message.type === "draft");
    writeFileSync(filePath, "changed by another program\n");
    page.say({ type: "diffAccepted", id, revision: 0, content: "after\n" });
    const clash = await poll("both versions", () =>
      drafts().find(({ content }) => content.includes("<<<<<<<")),
    );
    page.say({ type: "diffAccepted", id, revision: clash.revision, content: clash.content });
    rmSync(filePath);
    const gone = await poll("deletion", () =>
      drafts().find(({ against }) => against?.original.kind === "missing"),
    );
    demand(!stream.events.some(({ method }) => method === "ide/diffAccepted"), "nothing is accepted");
    page.say({ type: "diffAccepted", id, revision: gone.revision, content: "as seen\n" });
    demand(
      (await stream.method("ide/diffAccepted")).params.content === "as seen\n",
      "the text that was seen",
    );
    await companion.proveThatItServes();
  },
);

fault("in a folder that was deleted every command says so", async (sandbox) => {
  const gone = join(sandbox.folder, "gone");
  mkdirSync(gone);
  for (const command of [[], ["status"], ["doctor", "gemini"], ["diff", "a", "b"], ["env"]]) {
    const said = await new Promise<string>((resolve) => {
      const script = 'rmdir "$PWD"; exec "$@"';
      mkdirSync(gone, { recursive: true });
      const args = ["-c", script, "sh", process.execPath, executable, ...command];
      execFile("sh", args, { cwd: gone, env: sandbox.env }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
    demand(
      said === "error: the folder that you are in is gone: change into another one\n",
      `${command[0]}: ${said}`,
    );
  }
});

function fail(): never {
  throw new Error("no event at all");
}
