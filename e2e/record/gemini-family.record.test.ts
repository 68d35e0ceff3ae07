import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gemini } from "../harness/gemini.ts";
import { geminiScript, qwenScript } from "../harness/installed.ts";
import { qwen } from "../harness/qwen.ts";
import { record } from "./recorded-cli.ts";

const versionIn = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
const agents = [
  { kind: gemini, version: versionIn(join(dirname(geminiScript), "..")), other: qwen },
  { kind: qwen, version: versionIn(dirname(qwenScript)), other: gemini },
];

const text = "first\nsecond\n";

for (const { kind, version, other } of agents) {
  record(kind, version, "context", async ({ write, user, cli }) => {
    const [first, second] = [await write("first.txt", text), await write("second.txt", "2\n")];
    user({
      action: "focus",
      context: {
        files: [
          { path: first, focusedAt: 2, cursor: { line: 2, character: 7 }, selectedText: "second" },
          { path: second, focusedAt: 1 },
        ],
        activePath: first,
      },
    });
    cli.model.plan({ text: "An answer." });
    await cli.say("Describe what you see");
    await cli.model.request("second.txt");
    user({ action: "focus", context: { files: [] } });
    await cli.terminal.waitFor("An answer.");
  });

  record(kind, version, "accept", async ({ sandbox, cli, shown, user, written }) => {
    const path = sandbox.path("new.txt");
    await cli.proposeWrite(path, text);
    await shown(path);
    user({ action: "accept", path });
    await written(path);
  });

  record(kind, version, "edit and accept", async ({ write, cli, shown, user, written }) => {
    const path = await write("note.txt", text);
    await cli.proposeReplace(path, "second", "2nd");
    await shown(path);
    user({ action: "edit", path, text: "first\nzwei\n" });
    user({ action: "accept", path });
    await written(path);
  });

  record(kind, version, "reject", async ({ write, cli, shown, user }) => {
    const path = await write("note.txt", text);
    await cli.proposeReplace(path, "second", "2nd");
    await shown(path);
    user({ action: "reject", path });
    await cli.terminal.waitFor(kind.rejected);
  });

  record(kind, version, "accept in the terminal", async ({ write, cli, shown, written }) => {
    const path = await write("note.txt", text);
    await cli.proposeReplace(path, "second", "2nd");
    await shown(path);
    await cli.acceptInTerminal();
    await written(path);
  });

  record(kind, version, "close in the terminal", async ({ write, cli, shown, nothingShown }) => {
    const path = await write("note.txt", text);
    await cli.proposeReplace(path, "second", "2nd");
    await shown(path);
    await cli.cancelInTerminal();
    await nothingShown();
  });

  record(kind, version, "reconnect", async ({ sandbox, cli, shown, reconnected, user, written }) => {
    const path = sandbox.path("new.txt");
    await cli.proposeWrite(path, text);
    await shown(path);
    await reconnected();
    user({ action: "accept", path });
    await written(path);
  });

  record(
    kind,
    version,
    "lost acceptance",
    async ({ sandbox, cli, shown, lose, user, sent, reconnected, written }) => {
      const path = sandbox.path("new.txt");
      await cli.proposeWrite(path, text);
      await shown(path);
      lose();
      user({ action: "accept", path });
      await sent("ide/diffAccepted");
      await reconnected();
      await written(path);
    },
  );

  record(kind, version, "line ends", async ({ write, cli, shown, user, written }) => {
    const path = await write("crlf.txt", "\ufefffirst\r\nsecond\r\nlast");
    await cli.proposeReplace(path, "second", "2nd");
    await shown(path);
    user({ action: "edit", path, text: "\ufefffirst\r\nzwei\r\nlast" });
    user({ action: "accept", path });
    await written(path);
  });

  record(
    kind,
    version,
    `with ${other.displayName}`,
    async ({ sandbox, cli, start, shown, user, written }) => {
      const second = await start(other);
      const [mine, others] = [sandbox.path("mine.txt"), sandbox.path("others.txt")];
      await cli.proposeWrite(mine, "mine\n");
      await shown(mine);
      await second.proposeWrite(others, "others\n");
      await shown(others);
      user({ action: "accept", path: others });
      await written(others, second);
      user({ action: "reject", path: mine });
      await cli.terminal.waitFor(kind.rejected);
    },
  );
}
