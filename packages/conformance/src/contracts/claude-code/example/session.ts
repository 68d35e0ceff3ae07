import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Decision, ExampleEditor, ShownDiff } from "../../../example/editor.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import type { FrameSocket } from "../wire/frame-socket.ts";
import type { ClaudeRules } from "./rules.ts";

/** A question that waits for the user. */
interface Question {
  readonly id: unknown;
  readonly diff: ShownDiff;
}

/** What a session needs of the companion. */
export interface SessionHost {
  readonly rules: ClaudeRules;
  readonly editor: ExampleEditor;
  /** Every connected CLI, oldest first. */
  readonly sessions: readonly ExampleSession[];
  /** What the editor shows, as `selection_changed`. */
  selection(): object | undefined;
  diagnostics(path: string | undefined): object;
  die(): void;
}

/** One connected CLI. */
export class ExampleSession {
  readonly #host: SessionHost;
  readonly #socket: FrameSocket;
  /** By the name of the tab. */
  readonly #questions = new Map<string, Question>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(host: SessionHost, socket: FrameSocket) {
    this.#host = host;
    this.#socket = socket;
  }

  hear(text: string) {
    const message = parseJson(text);
    if (message === undefined && this.#host.rules.diesOfGarbage) return this.#host.die();
    if (!isJson(message) || typeof message.method !== "string") return;
    const { id, method } = message;
    const params = isJson(message.params) ? message.params : {};
    if (id !== undefined) this.#answer(id, method, params);
    else if (this.#host.rules.answersNotifications) this.#send({ id: null, result: {} });
  }

  notify(method: string, params: object | undefined): void {
    if (params) this.#send({ method, params });
  }

  /** The socket is closed. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    if (this.#host.rules.keepsDiffs) return;
    for (const { diff } of this.#questions.values()) this.#host.editor.diffs.delete(diff);
  }

  evict(): void {
    this.#socket.close(4001);
  }

  /** Takes a diff away without a decision. @returns whether there was one */
  closeTab(tab: string): boolean {
    const { rules, editor } = this.#host;
    const question = this.#questions.get(tab);
    if (!question) return false;
    this.#questions.delete(tab);
    editor.diffs.delete(question.diff);
    this.#decided(question.id, rules.undecided);
    return true;
  }

  /** @returns how many there were */
  closeAllTabs(): number {
    const tabs = [...this.#questions.keys()];
    for (const tab of tabs) this.closeTab(tab);
    return tabs.length;
  }

  #answer(id: unknown, method: string, params: Json) {
    const { rules } = this.#host;
    switch (method) {
      case "initialize": {
        const protocolVersion = rules.negotiate(String(params.protocolVersion));
        const serverInfo = { name: "claude-code-example", version: "1.0.0" };
        return this.#send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
      }
      case "ping":
        return this.#send({ id, result: {} });
      case "tools/list": {
        const tools = rules.tools.map((name) => ({ name, inputSchema: { type: "object" } }));
        this.#send({ id, result: { tools } });
        return this.#sendAgain();
      }
      case "tools/call":
        return this.#call(id, String(params.name), isJson(params.arguments) ? params.arguments : {});
      default:
        return this.#send({ id, ...rules.unknownMethod });
    }
  }

  #sendAgain(): void {
    for (const time of this.#host.rules.resends) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.notify("selection_changed", this.#host.selection());
      }, time);
      this.#timers.add(timer);
    }
  }

  #call(id: unknown, name: string, input: Json) {
    const { rules, sessions, diagnostics } = this.#host;
    switch (name) {
      case "openDiff":
        return this.#openDiff(id, input);
      case "close_tab": {
        const owners = rules.tabsAreShared ? sessions : [this];
        const wasOpen = owners.map((owner) => owner.closeTab(String(input.tab_name))).includes(true);
        return this.#reply(id, [rules.tabClosed(wasOpen)]);
      }
      case "closeAllDiffTabs": {
        const owners = rules.sweepsAll ? sessions : [this];
        const count = owners.reduce((sum, owner) => sum + owner.closeAllTabs(), 0);
        return this.#reply(id, [`CLOSED_${count}_DIFF_TABS`]);
      }
      case "getDiagnostics": {
        const path = typeof input.uri === "string" ? input.uri.replace(/^file:\/\//, "") : undefined;
        setTimeout(() => this.#reply(id, [rules.diagnosticsText(diagnostics(path))]), rules.diagnosticsDelay);
        return;
      }
      default:
        return this.#send({ id, ...rules.unknownTool });
    }
  }

  #openDiff(id: unknown, input: Json) {
    const { rules, editor } = this.#host;
    const [filePath, proposed, tab] = [input.new_file_path, input.new_file_contents, input.tab_name].map(
      String,
    );
    if (filePath === undefined || proposed === undefined || tab === undefined) return;
    const objection = rules.objection(filePath, proposed);
    if (objection !== undefined) {
      return this.#send({ id, result: { content: [{ type: "text", text: objection }], isError: true } });
    }
    const decide = (decision: Decision, text: string) => {
      this.#questions.delete(tab);
      editor.diffs.delete(diff);
      if (rules.writesFile && decision === "accepted") write(filePath, text);
      this.#decided(id, rules.outcome(decision, text, proposed));
    };
    const diff: ShownDiff = { filePath, text: proposed, decide };
    editor.diffs.add(diff);
    this.#questions.set(tab, { id, diff });
    if (rules.answersAtOnce) this.#reply(id, []);
  }

  #decided(id: unknown, texts: readonly string[]): void {
    this.#reply(id, texts);
    if (this.#host.rules.answersTwice) this.#reply(id, texts);
  }

  #reply(id: unknown, texts: readonly string[]): void {
    this.#send({ id, result: { content: texts.map((text) => ({ type: "text", text })) } });
  }

  #send(message: object): void {
    this.#socket.sendText(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
