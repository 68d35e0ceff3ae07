import { connectCompanion } from "ide-companion/client";

/**
 * An agent that uses our client library as it is published, in a separate process that is driven over IPC.
 * @type {import("ide-companion/client").CompanionClient | undefined}
 */
let client;

/** @param {import("./library-cli.ts").LibraryNews} news */
const report = (news) => void process.send?.(news);

process.on("message", ({ number, ask }) => {
  run(ask).then(
    (text) => report({ kind: "reply", number, reply: { ok: true, text } }),
    (error) => report({ kind: "reply", number, reply: { ok: false, reason: error.message } }),
  );
});
process.on("disconnect", () => process.exit());

/**
 * @param {import("./library-cli.ts").LibraryRequest} ask
 * @returns {Promise<string>}
 */
async function run(ask) {
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
    (error) => report({ kind: "failed", session, filePath, reason: error.message }),
  );
  return "";
}
