import path from "node:path";
import type { MessageConnection } from "vscode-languageserver/node";
import { z } from "zod";
import { reviewModes } from "../../core/written/review-mode.ts";
import { readFileNow } from "../../files/file-text.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { writePrivateFile } from "../../system/private-file.ts";
import { quoteForShell } from "../../system/shell-word.ts";
import { serve } from "../lsp/notifier.ts";
import { createProposalFolder, type ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import { type DecisionAnswer, messages, type PageAnswer } from "../protocol/messages.ts";
import { ListBuffers } from "./list-buffers.ts";
import { ProposalBuffers } from "./proposal-buffers.ts";
import { askServer, hearServer } from "./server.ts";
import { quote, Session, type SessionOptions } from "./session.ts";
import { createSessionContext, parseLook, parseMention, type SessionContext } from "./session-context.ts";
import { WrittenBuffers } from "./written-buffers.ts";

export interface KakounePluginOptions extends Pick<SessionOptions, "name" | "send"> {
  readonly connection: MessageConnection;
  readonly host: Host;
}

const LspMessage = z.object({ message: z.string() });

/** Speaks the plugin's half of docs/reference/protocol.md for Kakoune, and editors/kakoune/ide-companion.kak's other half. */
export class KakounePlugin {
  readonly session: Session;
  readonly #connection: MessageConnection;
  readonly #folder: ProposalFolder;
  readonly #buffers: ProposalBuffers;
  readonly #lists: ListBuffers;
  readonly #written: WrittenBuffers;
  readonly #context: SessionContext;
  /** In which the user has looked at something last; empty before that. */
  #client = "";
  /** The status, for people. */
  #sentence = "The companion is starting.";
  /** Kakoune has asked to end, and is not to be informed. */
  #isDismissed = false;

  constructor({ connection, host, ...given }: KakounePluginOptions) {
    const folder = createProposalFolder(host);
    const session = new Session({
      ...given,
      folder: folder.make("kakoune"),
      onMail: (name) => {
        if (name === "context") this.#log(this.#look());
        else this.#take(name).catch((error: unknown) => session.say(messageOf(error)));
      },
      onError: () => this.#dismiss(),
    });
    this.#connection = connection;
    this.#folder = folder;
    this.session = session;
    this.#buffers = new ProposalBuffers({
      ...{ folder, session },
      onDraft: (id, content) => askServer(connection, messages.draft, { id, content }),
    });
    this.#written = new WrittenBuffers({ connection, session });
    this.#lists = new ListBuffers({
      ...{ connection, session, folder },
      decide: async (isAccepted, ids) => {
        for (const id of ids.filter((one) => this.#buffers.has(one)))
          await (isAccepted ? this.#accept(id, await this.#buffers.read(id)) : this.#reject(id));
      },
      pathOf: (id) => this.#buffers.pathOf(id),
    });
    this.#context = createSessionContext(folder.holds);
    this.#answer();
    this.#listen();
  }

  async close(): Promise<void> {
    if (!this.#isDismissed) {
      // Where the session has ended there is nobody to inform.
      await this.#buffers.abandon().catch(() => {});
      await this.session.do("ide-companion-disconnected").catch(() => {});
    }
    this.session.close();
    this.#folder.close();
  }

  /** Serves what the server asks. */
  #answer(): void {
    const [connection, buffers] = [this.#connection, this.#buffers];
    serve(connection, messages.openDiff, async (params) => {
      await buffers.open(params);
      return null;
    });
    serve(connection, messages.closeDiff, async ({ id }) => {
      const content = await buffers.read(id);
      buffers.close(id);
      return { content };
    });
    serve(connection, messages.readDiff, async ({ id }) => ({ content: await buffers.read(id) }));
    serve(connection, messages.updateDiff, async (update) => {
      this.session.say(await buffers.update(update));
      return { content: await buffers.read(update.id) };
    });
    serve(connection, messages.openFile, async (place) => {
      await this.session.openFile(place, this.#client);
      return null;
    });
  }

  /** Takes what the server tells. */
  #listen(): void {
    const [connection, session] = [this.#connection, this.session];
    hearServer(connection, messages.fileWritten, ({ id, filePath, isWritten, before }) => {
      // Of a write without a question Kakoune hears now.
      const held = id === "" ? [hold(filePath, before ?? "")] : [];
      this.#log(session.do(...held, release(filePath, isWritten)));
    });
    hearServer(connection, messages.writtenHunks, (hunks) => this.#log(this.#written.take(hunks)));
    hearServer(connection, messages.news, ({ text, list, copy }) => {
      const way = list === undefined ? "" : `\n:ide-companion-${list}`;
      if (copy === undefined) session.say(`${text}${way}`);
    });
    hearServer(connection, messages.status, ({ env, line, sentence }) => {
      this.#sentence = sentence;
      const lines = Object.entries(env).map(([name, value]) => `export ${name}=${quoteForShell(value)}\n`);
      writePrivateFile(path.join(session.folder, "env"), lines.join(""));
      this.#log(session.do(`set-option global ide_companion_status ${quote(line)}`));
    });
    const of = (name: string) => ({ method: `window/${name}`, params: LspMessage });
    hearServer(connection, of("showMessage"), ({ message }) => session.say(message));
    hearServer(connection, of("logMessage"), ({ message }) => session.log(message));
  }

  /** Kakoune has written a file. @throws Error with a sentence */
  async #take(name: string): Promise<void> {
    const [verb = "", ...words] = name.split(".");
    if (verb === "terminal") return this.#openTerminal(this.session.takeWords(name));
    if (verb === "send") return this.#send(this.session.takeWords(name));
    if (verb === "written") return this.#written.act(this.session.takeWords(name));
    if (verb === "merge") return this.#lists.merge(this.session.takeWords(name));
    const command = this.#commands[verb];
    const text = command && this.session.take(name);
    if (text !== undefined) await command?.(words, text);
  }

  /** By the first word of a file's name: what to do, with its other words and its text. */
  get #commands(): Readonly<Record<string, (words: readonly string[], text: string) => unknown>> {
    const [connection, lists] = [this.#connection, this.#lists];
    return {
      end: () => this.#dismiss(),
      status: () => this.#echo(this.#sentence),
      pause: async () => this.#tell(await askServer(connection, messages.pause, { paused: true })),
      resume: async () => this.#tell(await askServer(connection, messages.pause, { paused: false })),
      page: async () => this.#tell(await askServer(connection, messages.openPage, {})),
      review: ([mode = ""]) => this.#review(mode),
      saved: (_, file) =>
        this.#folder.holds(file) || connection.sendNotification(messages.saved.method, { path: file }),
      list: (words) => lists.choose(words),
      actions: (words) => lists.chooseAction(words),
      act: (words) => lists.act(words),
      accept: ([id = ""]) => this.#buffers.has(id) && this.#accept(id),
      reject: ([id = ""]) => this.#buffers.has(id) && this.#reject(id),
      revert: async ([id = "", line]) =>
        this.#buffers.has(id) && this.session.say(await this.#buffers.revert(id, Number(line))),
    };
  }

  async #review(mode: string): Promise<void> {
    const asked = messages.review.params.safeParse(mode === "" ? {} : { mode });
    if (!asked.success) throw new Error(`There is no ${mode}, only ${reviewModes.join(", ")}.`);
    await this.#tell(await askServer(this.#connection, messages.review, asked.data));
  }

  /** Opens a terminal, whose agents find this companion, once that has started. */
  async #openTerminal([client, ...command]: readonly string[] = []): Promise<void> {
    if (client === undefined) return;
    await askServer(this.#connection, messages.review, {}); // answered after the start
    const env = path.join(this.session.folder, "env");
    const words = ["sh", "-c", `. "$0"; exec "\${@:-\${SHELL:-sh}}"`, env, ...command];
    await this.session.doIn(client, `terminal ${words.map(quote).join(" ")}`);
  }

  /** The user wants the lines of the selection in an agent's prompt. */
  async #send(words: readonly string[] | undefined): Promise<void> {
    const mention = parseMention(words);
    if (mention) await this.#tell(await askServer(this.#connection, messages.send, { mentions: [mention] }));
  }

  async #tell({ message, copy }: PageAnswer): Promise<void> {
    if (copy === undefined) return this.#echo(message);
    await this.session.do(`set-register dquote ${quote(copy)}`);
    this.session.say(message.replace("{place}", 'in the register ", p puts it'));
  }

  async #look(): Promise<void> {
    const look = parseLook(this.session.readWords("context"));
    if (!look) return; // there is more to come
    this.session.rename(look.session);
    this.#client = look.client;
    await this.#connection.sendNotification(messages.context.method, this.#context.take(look));
    await this.#buffers.follow(look);
    await this.#written.follow(look);
  }

  async #accept(id: string, content = this.#buffers.written(id)): Promise<void> {
    const { filePath, label, agent } = this.#buffers.paramsOf(id);
    // Kakoune would ask with the next key whether to load what the agent has written, or load it over unsaved edits.
    const before = readFileNow(filePath).file;
    await this.session.do(hold(filePath, before.kind === "text" ? before.text : ""));
    const isTaken = this.#end(id, await askServer(this.#connection, messages.diffAccepted, { id, content }));
    if (isTaken) await this.#echo(`Accepted: ${label}. ${agent} writes it now.`);
    else await this.session.do(release(filePath, false));
  }

  async #reject(id: string): Promise<void> {
    const { label } = this.#buffers.paramsOf(id);
    const isTaken = this.#end(id, await askServer(this.#connection, messages.diffRejected, { id }));
    if (isTaken) await this.#echo(`Rejected: ${label}.`);
  }

  /** @returns whether the decision counts; if not, the user hears why */
  #end(id: string, { taken, notice, reason }: DecisionAnswer): boolean {
    if (taken) this.#buffers.close(id);
    this.session.say(taken ? notice : reason);
    return taken;
  }

  /** In the status line of the client that the user was in last. */
  async #echo(sentence: string): Promise<void> {
    const echo = `echo -markup ${quote(`{Information}${sentence.replaceAll("\\", "\\\\").replaceAll("{", "\\{")}`)}`;
    await this.session.do(`try ${quote(`evaluate-commands -client ${quote(this.#client)} ${quote(echo)}`)}`);
  }

  /** Ends as an editor does that says good-bye. */
  async #dismiss(): Promise<void> {
    this.#isDismissed = true;
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
  }

  #log(work: Promise<void>): void {
    work.catch((error: Error) => this.session.log(error.message));
  }
}

/** An agent is about to write a file, which is this until then: Kakoune is not to ask whether it loads that. */
const hold = (path: string, before: string): string => `ide-companion-hold ${quote(path)} ${quote(before)}`;

/** The agent has written it, or does not: its buffer is read again, or guards edits that are not saved. */
const release = (path: string, isWritten: boolean): string =>
  `ide-companion-follow ${quote(path)} ${isWritten}`;
