import { mkdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExampleEditor, findProblems, type ShownDiff, selectionIn } from "../../../example/editor.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { type CopilotRules, type Ending, goodRules, toUrl } from "./rules.ts";

/** A question that waits for the user. */
interface Question {
  readonly diff: ShownDiff;
  /** Takes the diff away and answers the call. */
  end(decision: Ending["decision"]): void;
}

/** What a session needs of the companion. */
export interface SessionHost {
  readonly rules: CopilotRules;
  readonly editor: ExampleEditor;
  /** By their ids, oldest first. */
  readonly sessions: ReadonlyMap<string, ExampleSession>;
}

/** One connected CLI. */
export class ExampleSession {
  readonly #host: SessionHost;
  readonly #onEnd: () => void;
  /** By the name of the tab. */
  readonly #questions = new Map<string, Question>();
  #stream: ServerResponse | undefined;
  #patience: NodeJS.Timeout | undefined;
  #lastPath: string | undefined;

  constructor(host: SessionHost, onEnd: () => void) {
    this.#host = host;
    this.#onEnd = onEnd;
  }

  openStream(response: ServerResponse): void {
    clearTimeout(this.#patience);
    this.#stream = response;
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const { rules } = this.#host;
    response.once("close", () => {
      if (this.#stream !== response) return;
      this.#stream = undefined;
      this.#patience = setTimeout(() => this.end(), rules.withoutStream).unref();
    });
    if (rules.sendsAtOnce) this.sendSelection();
  }

  end(decision: Ending["decision"] = "closed"): void {
    clearTimeout(this.#patience);
    this.#onEnd();
    for (const { end } of [...this.#questions.values()]) end(decision);
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.end();
  }

  sendSelection(): void {
    const { rules } = this.#host;
    const { active } = this.#host.editor;
    const nothing = { text: "", start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const shown = active ? { filePath: active.path, ...selectionIn(active) } : undefined;
    const cleared = this.#lastPath === undefined ? undefined : { filePath: this.#lastPath, ...nothing };
    const isClosed = this.#lastPath !== undefined && !this.#host.editor.files.has(this.#lastPath);
    if (isClosed && !rules.clears) {
      this.#lastPath = undefined;
      return;
    }
    const next = shown ?? cleared;
    if (!next || (shown?.text === "" && !rules.sendsEmpty)) return;
    this.#lastPath = next.filePath;
    this.notify("selection_changed", rules.selection(next));
  }

  notify(method: string, params: object): void {
    this.#stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
  }

  /** Takes a diff away. @returns whether there was one */
  closeDiff(tab: string): boolean {
    const question = this.#questions.get(tab);
    question?.end("closed-by-tool");
    return question !== undefined;
  }

  /**
   * @param onAway calls back when nobody hears the answer any more
   * @returns `result` or `error`; undefined when there is no answer
   */
  async answer(
    method: unknown,
    params: Json,
    onAway: (listener: () => void) => void,
  ): Promise<object | undefined> {
    const { rules } = this.#host;
    if (method === "ping") return { result: {} };
    if (method === "tools/list") {
      const tools = Object.entries(rules.tools).map(([name, inputSchema]) => ({ name, inputSchema }));
      return { result: { tools } };
    }
    if (method !== "tools/call") return rules.unknownMethod;
    const input = isJson(params.arguments) ? params.arguments : {};
    if (params.name === "open_diff") return this.#openDiff(input, onAway);
    return this.#call(params.name, input);
  }

  async #call(name: unknown, input: Json): Promise<object> {
    const { rules, editor, sessions } = this.#host;
    switch (name) {
      case "close_diff": {
        const tab = String(input.tab_name);
        const owners = rules.tabsAreShared ? [...sessions.values()] : [this];
        return toResult(rules.closed(tab, owners.map((owner) => owner.closeDiff(tab)).includes(true)));
      }
      case "get_selection": {
        const { active } = editor;
        const shown = active && goodRules.selection({ filePath: active.path, ...selectionIn(active) });
        return toResult(shown ? rules.selectionAnswer(shown) : null);
      }
      case "get_diagnostics": {
        await new Promise((resolve) => setTimeout(resolve, rules.diagnosticsDelay));
        return toResult(this.#diagnosticsOf(input.uri));
      }
      case "update_session_name":
        return toResult(rules.named);
      default:
        return rules.unknownTool;
    }
  }

  #openDiff(input: Json, onAway: (listener: () => void) => void): Promise<object | undefined> {
    const { rules, editor } = this.#host;
    const { original_file_path: filePath, new_file_contents: text, tab_name: tab } = input;
    if (typeof filePath !== "string" || typeof text !== "string" || typeof tab !== "string")
      return Promise.resolve(rules.wrongArguments);
    const objection = rules.objection(filePath, text);
    if (objection !== undefined)
      return Promise.resolve({ result: { content: [{ type: "text", text: objection }], isError: true } });
    return new Promise((resolve) => {
      const end: Question["end"] = (decision) => {
        this.#questions.delete(tab);
        editor.diffs.delete(diff);
        if (rules.writesFile && decision === "accepted") write(filePath, text);
        const outcome = rules.outcome({ decision, tab });
        resolve(outcome && toResult(outcome));
      };
      const diff: ShownDiff = { filePath, text, decide: end };
      editor.diffs.add(diff);
      this.#questions.set(tab, { diff, end });
      onAway(() => (rules.keepsDiffs ? this.#questions.delete(tab) : end("closed-by-tool")));
      if (rules.patience !== undefined) setTimeout(end, rules.patience, "closed").unref();
    });
  }

  #diagnosticsOf(uri: unknown): readonly object[] {
    const { rules, editor } = this.#host;
    const path = typeof uri === "string" ? fileURLToPath(uri) : undefined;
    return [...editor.files.values()]
      .filter((file) => path === undefined || file.path === path)
      .map((file) => ({ file, problems: findProblems(file.text) }))
      .filter(({ problems }) => problems.length > 0)
      .map(({ file, problems }) =>
        rules.diagnosticsOf({
          uri: toUrl(file.path),
          filePath: file.path,
          diagnostics: problems.map((problem) => ({ ...problem, severity: rules.severity })),
        }),
      );
  }
}

const toResult = (value: unknown): object => ({
  result: { content: [{ type: "text", text: JSON.stringify(value) }] },
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
