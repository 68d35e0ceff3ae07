import { type CompanionClient, connectCompanion } from "../../packages/companion/src/client/index.ts";
import type { LibraryNews, LibraryRequest } from "./library-cli.ts";

/** An agent on our client library, in a process of its own: told what to do over IPC. */
let client: CompanionClient | undefined;
const tell = (news: LibraryNews) => void process.send?.(news);

process.on("message", ({ number, ask }: { number: number; ask: LibraryRequest }) => {
  run(ask).then(
    (text) => tell({ kind: "reply", number, reply: { ok: true, text } }),
    (error: Error) => tell({ kind: "reply", number, reply: { ok: false, reason: error.message } }),
  );
});
process.on("disconnect", () => process.exit());

async function run(ask: LibraryRequest): Promise<string> {
  if (ask.do === "connect") {
    const { port, token, name, session } = ask;
    client = await connectCompanion({ port, token, clientInfo: { name, version: "1" } });
    client.onContext((context) => tell({ kind: "context", session, context }));
    return "";
  }
  if (!client) throw new Error("not connected");
  if (ask.do === "close") return client.closeDiff(ask.filePath, ask);
  if (ask.do === "leave") {
    await client.close();
    client = undefined;
    return "";
  }
  const { filePath, newContent, session } = ask;
  client.openDiff(filePath, newContent).then(
    (outcome) => tell({ kind: "settled", session, filePath, outcome }),
    (error: Error) => tell({ kind: "failed", session, filePath, reason: error.message }),
  );
  return "";
}
