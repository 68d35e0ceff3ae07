import { WebSocket } from "ws";
import type { Host } from "../../../system/host.ts";
import { canConnect } from "../../../transport/loopback.ts";
import type { Step } from "../../doctor/step.ts";
import type { Search } from "./search.ts";
import { failed, ok, unreached } from "./steps.ts";

/** How long a companion may take to answer, in milliseconds. */
const patience = 5000;

/** Connects as the CLI does, and leaves before it would be shown as one. */
export async function examineConnection(chosen: Search["chosen"], { env }: Host): Promise<readonly Step[]> {
  if (chosen === undefined) return [unreached("port"), unreached("handshake")];
  const { port, token, ide } = chosen.content;
  const host = env.CLAUDE_CODE_IDE_HOST_OVERRIDE || "127.0.0.1";
  const name = ide?.displayName ?? "your editor";
  if (!(await canConnect(host, port))) {
    const evidence = `nothing listens on ${host}, port ${port} (${chosen.found.path})`;
    const remedy = `Restart the companion of ${name}: it then writes its lock file again.`;
    return [failed("port", [evidence], remedy), unreached("handshake")];
  }
  const listening = ok("port", `${host}:${port} listens`);
  const fault = await connect(host, port, token);
  if (fault === undefined) return [listening, ok("handshake", "the companion takes the token of the file")];
  const remedy = `Restart the companion of ${name}: it then writes its lock file again.`;
  return [listening, failed("handshake", [fault], remedy)];
}

/** @returns what is wrong, for people */
function connect(host: string, port: number, token = ""): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${host}:${port}/`, ["mcp"], {
      headers: { "x-claude-code-ide-authorization": token },
      handshakeTimeout: patience,
    });
    const finish = (fault?: string) => {
      resolve(fault);
      socket.terminate();
    };
    socket.once("open", () => finish());
    socket.once("unexpected-response", (_, { statusCode }) =>
      finish(
        statusCode === 401 || statusCode === 403
          ? `the token of the file is refused: ${statusCode}`
          : `port ${port} is served by something else: it answered ${statusCode}`,
      ),
    );
    // Also what follows our own end.
    socket.on("error", ({ message }) => finish(message));
  });
}
