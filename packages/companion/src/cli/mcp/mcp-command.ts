import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { errorCodes } from "../../transport/json-rpc.ts";
import { createLineLimit } from "../../transport/line-limit.ts";
import { maxMessageBytes, tooLong } from "../../transport/message-limit.ts";
import { version } from "../../version.ts";
import { type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { createEditorLink } from "./editor-link.ts";
import { createToolServer } from "./tool-server.ts";

/** How long an agent may take to say which folders it works in, in milliseconds. */
const patience = 2000;

/** Serves the agent that has started us, over standard input and output, until it ends. */
export async function runMcp(invocation: Invocation): Promise<number> {
  if (process.stdin.isTTY) {
    throw new UsageError(
      "mcp is started by an agent, which talks with it on standard input: this is a terminal",
    );
  }
  const [given] = invocation.arguments.all("folder");
  const folder = path.resolve(invocation.folder, given ?? "");
  if (given !== undefined && !(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`there is no folder ${folder}`);
  }
  const { host } = invocation;
  let server: Server | undefined;
  const link = createEditorLink({
    host,
    folders: async () => [folder, ...(await rootsOf(server))],
    name: () => server?.getClientVersion() ?? { name: "mcp", title: "Agent", version },
  });
  const transport = openStdio();
  const handle = serveStdio(
    ({ era }) => {
      const served = createToolServer({ link, host, folder }, era === "modern");
      ({ server } = served);
      server.oninitialized = link.keep;
      return served;
    },
    { transport },
  );
  const lifetime = createLifetime({ endsWithInput: true });
  const exitCode = await lifetime.ended;
  await handle.close();
  await link.close();
  lifetime.close();
  return exitCode;
}

/** Standard input and output, each message a line. The library copies a long one again with each piece that comes. */
function openStdio(): StdioServerTransport {
  const lines = createLineLimit(() => {
    const error = { code: errorCodes.invalidRequest, message: `The message is ${tooLong}` };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
  });
  // Its end and its error are the ones of the lines.
  pipeline(process.stdin, lines, () => {});
  return new StdioServerTransport(lines, process.stdout, { maxBufferSize: maxMessageBytes });
}

/** The folders that the agent says it works in, where it says so. */
async function rootsOf(server: Server | undefined): Promise<readonly string[]> {
  if (!server?.getClientCapabilities()?.roots) return [];
  try {
    const { roots } = await server.listRoots({}, { timeout: patience });
    return roots.filter(({ uri }) => uri.startsWith("file:")).map(({ uri }) => fileURLToPath(uri));
  } catch {
    return []; // it has none to tell, or takes too long: the present folder has to do
  }
}
