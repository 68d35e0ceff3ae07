import path from "node:path";
import type { MessageConnection } from "vscode-languageserver/node";
import { z } from "zod";
import { reviewModes } from "../../core/written/review-mode.ts";
import { readFileNow } from "../../files/file-text.ts";
import type { Host } from "../../system/host.ts";
import { writePrivateFile } from "../../system/private-file.ts";
import { quoteForShell } from "../../system/shell-word.ts";
import { createProposalFolder, type ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import { type DecisionAnswer, messages, type PageAnswer, type StatusParams } from "../protocol/messages.ts";
import { BufferTexts, hold, release } from "./buffer-text.ts";
import { ListBuffers } from "./list-buffers.ts";
import { ProposalBuffers } from "./proposal-buffers.ts";
import { Guide, Mailbox, quote, type Remote } from "./remote.ts";
import { createSessionContext, parseLook, parseMention, type SessionContext } from "./session-context.ts";
import { WrittenBuffers } from "./written-buffers.ts";

export interface KakounePluginOptions {
  readonly connection: MessageConnection;
  readonly remote: Pick<Remote, "do" | "rename">;
  readonly host: Host;
}

const isPaused = "Agents receive no context.\n:ide-companion-resume ends the pause";
const isResumed = "Agents receive your context again.";

const Message = z.object({ message: z.string() });

/** What a user says of a proposal, as the names of files have it: `accept.3`. */
const decisions: readonly string[] = ["accept", "reject", "revert"];

/** Speaks the plugin's half of docs/reference/protocol.md for Kakoune, and editors/kakoune/ide-companion.kak's other half. */
export class KakounePlugin {
  /** What Kakoune writes to. */
  readonly mailbox: Mailbox;
  readonly #connection: MessageConnection;
  readonly #remote: Pick<Remote, "do" | "rename">;
  readonly #folder: ProposalFolder;
  readonly #buffers: ProposalBuffers;
  readonly #lists: ListBuffers;
  readonly #written: WrittenBuffers;
  readonly #context: SessionContext;
  readonly #guide: Guide;
  /** In which the user has looked at something last; empty before that. */
  #client = "";
  #sessions: StatusParams["sessions"] = [];
  #isPaused = false;
  /** The status, for people. */
  #sentence = "The companion is starting.";
  /** Kakoune has asked to end, and is not to be informed. */
  #isDismissed = false;

  constructor({ connection, remote, host }: KakounePluginOptions) {
    this.#connection = connection;
    this.#remote = remote;
    this.#folder = createProposalFolder(host);
    this.mailbox = new Mailbox({
      folder: this.#folder.make("kakoune"),
      onMail: (name) => this.#log(this.#take(name)),
      onError: () => this.#dismiss(),
    });
    const texts = new BufferTexts(this.mailbox, remote);
    this.#buffers = new ProposalBuffers({
      folder: this.#folder,
      mailbox: this.mailbox,
      remote,
      texts,
      onDraft: (id, content) => connection.sendRequest(messages.draft.method, { id, content }),
    });
    const say = (message: string) => this.#say(message);
    this.#written = new WrittenBuffers({ connection, remote, mailbox: this.mailbox, texts, say });
    this.#lists = new ListBuffers({
      connection,
      remote,
      mailbox: this.mailbox,
      folder: this.#folder,
      say,
      decide: async (isAccepted, ids) => {
        for (const id of ids.filter((one) => this.#buffers.has(one)))
          await (isAccepted ? this.#accept(id, await this.#buffers.read(id)) : this.#reject(id));
      },
      pathOf: (id) => this.#buffers.pathOf(id),
    });
    this.#context = createSessionContext(this.#folder.holds);
    this.#guide = new Guide(this.mailbox, remote);
    this.#answer();
  }

  async close(): Promise<void> {
    if (!this.#isDismissed) {
      // Where the session has ended there is nobody to inform.
      await this.#buffers.abandon().catch(() => {});
      await this.#remote.do("ide-companion-disconnected").catch(() => {});
    }
    this.mailbox.close();
    this.#folder.close();
  }

  #answer(): void {
    const { openDiff, closeDiff, readDiff, updateDiff, openFile, fileWritten, news, status } = messages;
    const [on, remote] = [this.#connection, this.#remote];
    on.onRequest(openDiff.method, async (params: unknown) => {
      await this.#buffers.open(openDiff.params.parse(params));
      await this.#tellStatus();
      return null;
    });
    on.onRequest(closeDiff.method, async (params: unknown) => {
      const { id } = closeDiff.params.parse(params);
      const content = await this.#buffers.read(id);
      this.#buffers.close(id);
      await this.#tellStatus();
      return { content };
    });
    on.onRequest(readDiff.method, async (params: unknown) => {
      const { id } = readDiff.params.parse(params);
      return { content: await this.#buffers.read(id) };
    });
    on.onRequest(updateDiff.method, async (params: unknown) => {
      const update = updateDiff.params.parse(params);
      this.#say(await this.#buffers.update(update));
      return { content: await this.#buffers.read(update.id) };
    });
    on.onRequest(openFile.method, async (params: unknown) => {
      await this.#guide.open(openFile.params.parse(params), this.#client);
      return null;
    });
    on.onNotification(fileWritten.method, (params: unknown) => {
      const { id, filePath, isWritten, before } = fileWritten.params.parse(params);
      // Of a write without a question Kakoune hears now.
      const held = id === "" ? [hold(filePath, before ?? "")] : [];
      this.#log(remote.do(...held, release(filePath, isWritten)));
    });
    on.onNotification(messages.writtenHunks.method, (params: unknown) =>
      this.#log(this.#written.take(messages.writtenHunks.params.parse(params))),
    );
    on.onNotification(news.method, (params: unknown) => {
      const { text, list, copy } = news.params.parse(params);
      const way = list === undefined ? "" : `\n:ide-companion-${list}`;
      if (copy === undefined) this.#say(`${text}${way}`);
    });
    on.onNotification(status.method, (params: unknown) => {
      const { env, sessions, paused, sentence } = status.params.parse(params);
      this.#sentence = sentence;
      this.#sessions = sessions;
      if (paused !== this.#isPaused) this.#say(paused ? isPaused : isResumed);
      this.#isPaused = paused;
      const lines = Object.entries(env).map(([name, value]) => `export ${name}=${quoteForShell(value)}\n`);
      writePrivateFile(path.join(this.mailbox.folder, "env"), lines.join(""));
      this.#log(this.#tellStatus());
    });
    on.onNotification("window/showMessage", (params: unknown) => this.#say(Message.parse(params).message));
    on.onNotification("window/logMessage", (params: unknown) => {
      this.#log(this.#remote.do(`echo -debug ide-companion: ${quote(Message.parse(params).message)}`));
    });
  }

  /** Kakoune has written a file. */
  async #take(name: string): Promise<void> {
    if (name === "context") return this.#look();
    const [verb = "", ...rest] = name.split(".");
    const [id = "", line] = rest;
    if (verb === "end") return this.#dismiss();
    if (["pause", "resume", "status", "review", "page"].includes(verb))
      return this.mailbox.take(name) === undefined ? undefined : this.#run(verb, id);
    if (verb === "send") return this.#send(name);
    if (verb === "saved") {
      const file = this.mailbox.take(name);
      if (file === undefined || this.#folder.holds(file)) return;
      return this.#connection.sendNotification(messages.saved.method, { path: file });
    }
    if (verb === "written") return this.#written.act(name);
    if (["list", "actions", "act"].includes(verb) && this.mailbox.take(name) !== undefined)
      return this.#lists.take(verb, rest);
    if (verb === "merge") return this.#lists.takeMerge(name);
    if (!decisions.includes(verb) || !this.#buffers.has(id) || this.mailbox.take(name) === undefined) return;
    if (verb === "accept") return this.#accept(id);
    if (verb === "reject") return this.#reject(id);
    const { readOnlyReason } = this.#buffers.paramsOf(id);
    if (readOnlyReason !== undefined) return this.#say(readOnlyReason);
    if (!(await this.#buffers.revert(id, Number(line)))) this.#say(`There is no change in line ${line}.`);
  }

  /** A command that says something. */
  async #run(verb: string, word: string): Promise<void> {
    if (verb === "status") return this.#echo(this.#sentence);
    const isPause = verb === "pause" || verb === "resume";
    if (isPause) return this.#connection.sendRequest(messages.pause.method, { paused: verb === "pause" });
    const { method, params, answer } = verb === "page" ? messages.openPage : messages.review;
    const asked = params.safeParse(word === "" ? {} : { mode: word });
    if (!asked.success) return this.#say(`There is no ${word}, only ${reviewModes.join(", ")}.`);
    return this.#tell(answer.parse(await this.#connection.sendRequest(method, asked.data)));
  }

  /** The user wants the lines of the selection in an agent's prompt. */
  async #send(name: string): Promise<void> {
    const mention = parseMention(this.mailbox.read(name) ?? "");
    // A file is reported again when there is more of it, and may be reported twice.
    if (!mention || this.mailbox.take(name) === undefined) return;
    const { method, answer } = messages.send;
    return this.#tell(answer.parse(await this.#connection.sendRequest(method, { mentions: [mention] })));
  }

  async #tell({ message, copy }: PageAnswer): Promise<void> {
    if (copy === undefined) return this.#echo(message);
    await this.#remote.do(`set-register dquote ${quote(copy)}`);
    this.#say(message.replace("{place}", 'in the register ", p puts it'));
  }

  async #look(): Promise<void> {
    const look = parseLook(this.mailbox.read("context") ?? "");
    if (!look) return; // there is more to come
    this.#remote.rename(look.session);
    this.#client = look.client;
    await this.#connection.sendNotification(messages.context.method, this.#context.take(look));
    await this.#buffers.follow(look);
    await this.#written.follow(look);
  }

  async #accept(id: string, content = this.#buffers.written(id)): Promise<void> {
    const { filePath, label, agent } = this.#buffers.paramsOf(id);
    // Kakoune would ask with the next key whether to load what the agent has written, or load it over unsaved edits.
    const before = readFileNow(filePath).file;
    await this.#remote.do(hold(filePath, before.kind === "text" ? before.text : ""));
    const isTaken = await this.#decide(messages.diffAccepted.method, { id, content });
    if (isTaken) await this.#echo(`Accepted: ${label}. ${agent} writes it now.`);
    else await this.#remote.do(release(filePath, false));
  }

  async #reject(id: string): Promise<void> {
    const { label } = this.#buffers.paramsOf(id);
    if (await this.#decide(messages.diffRejected.method, { id })) await this.#echo(`Rejected: ${label}.`);
  }

  /** @returns whether the decision counts; if not, the user hears why */
  async #decide(
    method: string,
    params: { readonly id: string; readonly content?: string },
  ): Promise<boolean> {
    const result = await this.#connection.sendRequest<DecisionAnswer>(method, params);
    if (result.taken) this.#buffers.close(params.id);
    this.#say(result.taken ? result.notice : result.reason);
    await this.#tellStatus();
    return result.taken;
  }

  /** In the status line of the client that the user was in last. */
  async #echo(sentence: string): Promise<void> {
    const echo = `echo -markup ${quote(`{Information}${sentence.replaceAll("\\", "\\\\").replaceAll("{", "\\{")}`)}`;
    await this.#remote.do(`try ${quote(`evaluate-commands -client ${quote(this.#client)} ${quote(echo)}`)}`);
  }

  async #tellStatus(): Promise<void> {
    const waiting = this.#buffers.paths;
    const names = this.#sessions.map(({ agent }) => agent);
    const proposals =
      waiting.length === 0 ? [] : [waiting.length === 1 ? "1 proposal" : `${waiting.length} proposals`];
    await this.#remote.do(
      `set-option global ide_companion_status ${quote([...names, ...proposals, ...(this.#isPaused ? ["paused"] : [])].join(", "))}`,
      `set-option global ide_companion_waiting ${waiting.map(quote).join(" ")}`,
    );
  }

  #say(message: string | undefined): void {
    if (message !== undefined) this.#log(this.#remote.do(`ide-companion-say ${quote(message)}`));
  }

  /** Ends as an editor does that says good-bye. */
  async #dismiss(): Promise<void> {
    this.#isDismissed = true;
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
  }

  #log(work: Promise<void>): void {
    work.catch((error: Error) => {
      this.#remote.do(`echo -debug ide-companion: ${quote(error.message)}`).catch(() => {}); // it has ended, and its log with it
    });
  }
}
