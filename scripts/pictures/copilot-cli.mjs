import { request } from "node:http";
import { join } from "node:path";
import { proposals } from "../../packages/review-ui/pictures-sample.mjs";
import { announced } from "./claude-code.mjs";

/**
 * What Copilot CLI would propose, without it and its model.
 * @param {Record<string, string>} env @param {string} shop folder of the sample
 */
export async function proposeAsCopilot({ HOME }, shop) {
  const { socketPath, headers } = await announced(join(HOME, ".copilot", "ide"), ".lock");
  const open = [];
  let id = 0;
  let session;
  const post = (method, params) =>
    new Promise((resolve, reject) => {
      const outgoing = request({
        socketPath,
        method: "POST",
        path: "/mcp",
        headers: {
          ...headers,
          host: "localhost",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(session && { "mcp-session-id": session }),
        },
      });
      open.push(outgoing);
      outgoing.once("response", (response) => resolve(response.resume())).once("error", reject);
      outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: id++, method, params }));
    });
  const clientInfo = { name: "copilot-cli", version: "1.0.102" };
  const introduced = await post("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo,
  });
  session = introduced.headers["mcp-session-id"];
  const stream = request({
    socketPath,
    path: "/mcp",
    headers: { ...headers, host: "localhost", accept: "text/event-stream", "mcp-session-id": session },
  });
  open.push(stream);
  stream.on("response", (response) => response.resume().on("error", () => {})).on("error", () => {});
  stream.end();
  const [, name, content] = proposals[0];
  const input = {
    original_file_path: join(shop, name),
    new_file_contents: content,
    tab_name: `[Copilot CLI] - ${name}`,
  };
  // Nobody decides: the picture is all we want.
  post("tools/call", { name: "open_diff", arguments: input }).catch(() => {});
  return {
    close() {
      for (const one of open) one.destroy();
    },
  };
}
