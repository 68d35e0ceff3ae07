import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { type LspDoor, type LspDoorOptions, startLspDoor } from "../lsp/index.ts";
import { protocolVersion } from "../lsp/messages.ts";
import { repositoryOf } from "../lsp/roots.ts";
import { KakounePlugin } from "./kakoune-plugin.ts";
import { createRemote } from "./remote.ts";

export interface KakouneDoorOptions extends Omit<LspDoorOptions, "input" | "output"> {
  /** The session, as `kak -p` knows it. */
  readonly session: string;
  /** Kakoune's own process. */
  readonly pid: number;
  /** The folder that Kakoune runs in; absolute. */
  readonly cwd: string;
}

/**
 * The companion of one Kakoune session: a plugin of the lsp door like any other, but one that runs beside its editor,
 * which cannot hold a conversation itself.
 * @throws Error when there is no such session
 * @see docs/decisions/0010-kakoune.md
 */
export async function startKakouneDoor({
  session,
  pid,
  cwd,
  ...options
}: KakouneDoorOptions): Promise<LspDoor> {
  const [toDoor, toPlugin] = [new PassThrough(), new PassThrough()];
  const door = startLspDoor({ ...options, input: toDoor, output: toPlugin });
  const connection = createMessageConnection(
    new StreamMessageReader(toPlugin),
    new StreamMessageWriter(toDoor),
  );
  const root = repositoryOf(cwd) ?? cwd;
  const plugin = new KakounePlugin({ connection, host: options.host, remote: createRemote(session), root });
  connection.listen();
  const close = async () => {
    await plugin.close();
    await door.close();
    connection.dispose();
  };
  try {
    await connection.sendRequest("initialize", {
      processId: pid,
      clientInfo: { name: "Kakoune" },
      rootUri: null,
      capabilities: { experimental: { ideCompanion: { version: protocolVersion, openFile: true } } },
      workspaceFolders: [{ uri: pathToFileURL(root).href, name: root }],
    });
    await connection.sendNotification("initialized", {});
    await plugin.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { ended: door.ended, close };
}
