import { type CompanionClient, connectCompanion } from "../../packages/companion/src/client/index.ts";
import type { LibraryNews, LibraryRequest } from "./library-cli.ts";

/** An agent that uses our client library, in a separate process that is driven over IPC. */
let client: CompanionClient | undefined;
const report = (news: LibraryNews) => void process.send?.(news);

process.on("message", ({ number, ask }: { number: number; ask: LibraryRequest }) => {
  run(ask).then(
    (text) => report({ kind: "reply", number, reply: { ok: true, text } }),
    (error: Error) => report({ kind: "reply", number, reply: { ok: false, reason: error.message } }),
  );
});
process.on("disconnect", () => process.exit());

async function run(ask: LibraryRequest): Promise<string> {
  if (ask.do === "connect") {
    const { port, token, name, session } = ask;
    client = await connectCompanion({ port, token, clientInfo: { name, version: "1" } });
    client.onContext((context) => report({ kind: "context", session, context }));
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
    (outcome) => report({ kind: "settled", session, filePath, outcome }),
    (error: Error) => report({ kind: "failed", session, filePath, reason: error.message }),
  );
  return "";
}
