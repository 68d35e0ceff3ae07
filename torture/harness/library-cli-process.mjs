import { connectCompanion } from "ide-companion/client";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-languageserver/node";

/** An agent that uses our client library as it is published, in a separate process that is driven over IPC. */
const driver = createMessageConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
/** @type {import("ide-companion/client").CompanionClient | undefined} */
let client;

driver.onRequest("connect", async ({ port, token, name }) => {
  client = await connectCompanion({ port, token, clientInfo: { name, version: "1" } });
  client.onContext((context) => void driver.sendNotification(`${name}/context`, context));
});
driver.onRequest("open", ({ name, filePath, newContent }) => {
  const report = (outcome) => driver.sendNotification(`${name}/ended`, { filePath, outcome });
  client?.openDiff(filePath, newContent).then(report, () => report(undefined));
});
driver.onRequest("close", ({ filePath, suppressNotification }) =>
  client?.closeDiff(filePath, { suppressNotification }),
);
driver.onRequest("leave", () => client?.close());
driver.listen();
process.on("disconnect", () => process.exit());
