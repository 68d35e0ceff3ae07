import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { clientOf } from "./companion.ts";
import { demand, fault } from "./fixture.ts";
import { type PlainEditor, startPlainEditor } from "./plain-editor.ts";

fault(
  "a file with different unsaved edits in two editors is reported, proposed and decided separately in each",
  async (sandbox) => {
    const filePath = join(sandbox.workspace, "shared.txt");
    writeFileSync(filePath, "on disk\n");
    const one = await openUnsaved(sandbox, { agent: "gemini", filePath, unsaved: "unsaved in one\n" });
    const two = await openUnsaved(sandbox, { agent: "qwen", filePath, unsaved: "unsaved in two\n" });
    for (const { stream, unsaved } of [one, two]) {
      await stream.next(({ params }) => JSON.stringify(params).includes(unsaved.trimEnd()));
    }
    demand(
      !JSON.stringify(one.stream.events).includes("in two"),
      "the first agent receives context of its editor only",
    );
    demand(!JSON.stringify(two.stream.events).includes("in one"), "and so does the second");

    await one.cli.call("openDiff", { filePath, newContent: "proposed to one\n" });
    await two.cli.call("openDiff", { filePath, newContent: "proposed to two\n" });
    const [first, second] = [await one.proposal(), await two.proposal()];
    demand(
      readFileSync(first, "utf8") === "proposed to one\n",
      "the first editor has its own agent's proposal",
    );
    await one.editor.type(first, "edited in one\n");
    await two.editor.type(second, "edited in two\n");

    await one.editor.request("workspace/executeCommand", { command: "ide-companion.accept" });
    const { params } = await one.stream.method("ide/diffAccepted");
    demand(params.content === "edited in one\n", "what was decided in one is of one");
    demand(readFileSync(filePath, "utf8") === "on disk\n", "nobody but the agent writes");
    writeFileSync(filePath, "edited in one\n");

    demand(
      !two.stream.events.some(({ method }) => method.startsWith("ide/diff")),
      "what was decided in one decides nothing in two",
    );
    const answer = JSON.stringify(await two.cli.call("closeDiff", { filePath }));
    demand(answer.includes("edited in two"), `the agent of two gets what was typed in two: ${answer}`);
    const uri = pathToFileURL(filePath).href;
    for (const { editor } of [one, two])
      demand(!JSON.stringify(editor.edits).includes(uri), "no unsaved edit was touched");
  },
);

/** An editor in which a file was edited and selected, and its agent. */
async function openUnsaved(
  sandbox: Sandbox,
  { agent, filePath, unsaved }: { agent: "gemini" | "qwen"; filePath: string; unsaved: string },
) {
  const editor: PlainEditor = await startPlainEditor(sandbox);
  const cli = await clientOf(sandbox, agent, editor.port).initialize();
  const stream = await cli.openStream();
  const { href: uri } = pathToFileURL(filePath);
  const textDocument = { uri, languageId: "plaintext", version: 1, text: readFileSync(filePath, "utf8") };
  await editor.notify("textDocument/didOpen", { textDocument });
  await editor.notify("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: unsaved }],
  });
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  await editor.request("textDocument/codeAction", {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  });
  return {
    editor,
    cli,
    stream,
    unsaved,
    proposal: () => poll("document of the proposal", () => editor.shown[0]),
  };
}
