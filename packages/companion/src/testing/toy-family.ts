import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AgentFamily } from "../agents/family.ts";
import { type Outcome, takesNoEdits } from "../core/review.ts";
import { ensureOwnedFolder, removeFile, writePrivateFile } from "../system/private-file.ts";
import { type RpcRequest, servePeer } from "../transport/json-rpc.ts";
import { listenForWebSockets } from "../transport/websocket.ts";

const toy = {
  name: "toy",
  displayName: "Toy",
  command: "toy",
  installCommand: "make toy",
  connectCommand: "/toy",
};

/** Nobody's agent: a WebSocket, a lock file, a call that waits for the user, and tools that no other agent has. */
export const toyFamily: AgentFamily = {
  agents: [toy],
  async serve(_, { editor, context, reviews, sessions }, { home }) {
    const token = randomUUID();
    const listener = await listenForWebSockets({
      maxMessage: 1024 * 1024,
      maxChannels: 4,
      refuse: ({ headers }) =>
        headers["x-toy"] === token ? undefined : { status: 401, reason: "The toy's token is needed." },
      onTrouble: () => {},
      loadHandler: async () => (channel) => {
        const client = { name: "toy", version: "1" };
        const session = sessions.open(toy.displayName, client, {
          mention: (mention) => peer.notify("mentioned", mention),
        });
        const { id, agent } = session.info;
        const call = ({ params }: RpcRequest) => {
          const [tab, filePath, newContent] = [params.tab, params.path, params.text].map(String);
          return new Promise((deliver: (outcome: Outcome) => void, reject) => {
            const owner = { id, agent, deliver, isOver: session.isOver };
            reviews
              .propose(owner, {
                ...{ key: tab ?? "", filePath: filePath ?? "", newContent: newContent ?? "" },
                ...(params.takesNoEdits === true && { readOnlyReason: takesNoEdits(agent) }),
              })
              .catch(reject);
          });
        };
        const peer = servePeer(channel, { call });
        const stop = context.subscribe(({ files: [first] }) =>
          peer.notify("eyes_on", { ...first?.selection }),
        );
        channel.onClose(() => {
          stop();
          void session.end("it went away");
        });
      },
    });
    const lock = join(home, ".toy", `${editor.pid}.lock`);
    ensureOwnedFolder(join(home, ".toy"));
    writePrivateFile(lock, JSON.stringify({ port: listener.port, token }));
    const removeFiles = () => removeFile(lock);
    return { env: { TOY_LOCK: lock }, files: [lock], rewriteFiles() {}, removeFiles, close: listener.close };
  },
};
