import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { repositoryOf } from "../lsp/file-uri.ts";
import { type LspFrontend, startLspFrontend } from "../lsp/lsp-frontend.ts";
import type { LspFrontendOptions } from "../lsp/served-editor.ts";
import { protocolVersion } from "../protocol/messages.ts";
import { KakounePlugin } from "./kakoune-plugin.ts";
import { quote } from "./session.ts";

export interface KakouneFrontendOptions extends Omit<LspFrontendOptions, "input" | "output"> {
  /** The session, as `kak -p` knows it. */
  readonly session: string;
  /** Kakoune's own process. */
  readonly pid: number;
  /** The folder that Kakoune runs in; absolute. */
  readonly cwd: string;
}

/**
 * The companion of one Kakoune session: a plugin of the lsp frontend like any other, but one that runs next to its editor,
 * which cannot hold a conversation itself.
 * @throws Error when there is no such session
 * @see docs/inside/decisions/0010-kakoune.md
 */
export async function startKakouneFrontend({
  session,
  pid,
  cwd,
  ...options
}: KakouneFrontendOptions): Promise<LspFrontend> {
  const [toFrontend, toPlugin] = [new PassThrough(), new PassThrough()];
  const findProcess = () => plugin.session.findProcess().catch(() => undefined);
  const frontend = startLspFrontend({ ...options, input: toFrontend, output: toPlugin, findProcess });
  const connection = createMessageConnection(
    new StreamMessageReader(toPlugin),
    new StreamMessageWriter(toFrontend),
  );
  const root = repositoryOf(cwd) ?? cwd;
  const plugin = new KakounePlugin({ connection, host: options.host, name: session });
  connection.listen();
  const close = async () => {
    await plugin.close();
    await frontend.close();
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
    await plugin.session.do(`ide-companion-connected ${quote(plugin.session.folder)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { ended: frontend.ended, close };
}
