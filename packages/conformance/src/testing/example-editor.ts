import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A file that is open in the example's editor. */
export interface OpenFile {
  readonly path: string;
  text: string;
  focusedAt: number;
  /** Offsets into the text, in UTF-16 units; equal when nothing is selected. */
  anchor: number;
  head: number;
}

/** A proposal that is shown. */
export interface ShownDiff {
  readonly filePath: string;
  text: string;
  decide(decision: Decision, text: string): void;
}

/** How a proposal ends; `closed` means that its view was closed without a decision. */
export type Decision = "accepted" | "rejected" | "closed";

/** A simulated editor: it stores what a real one would show, and does what its user would do. */
export class ExampleEditor extends EventEmitter<{
  change: [];
  folders: [];
  mention: [path: string, first: number, last: number];
}> {
  readonly files = new Map<string, OpenFile>();
  readonly diffs = new Set<ShownDiff>();
  readonly folders: string[];
  /** The file that has the focus. */
  active: OpenFile | undefined;
  /** The variables of a terminal in this editor. */
  environment: Readonly<Record<string, string>> = {};
  readonly #readFile: (path: string) => string;
  #clock = Date.now();

  /** @param readFile a file's text; empty for one that is not on disk */
  constructor(folders: readonly string[], readFile: (path: string) => string) {
    super();
    this.folders = [...folders];
    this.#readFile = readFile;
  }

  /** Does one thing; the actions are those of `--editor-command`. */
  async perform(action: string, args: readonly string[]): Promise<string> {
    const [path = "", ...rest] = args;
    const [line = 1, column = 1, toLine = line, toColumn = column] = rest.map(Number);
    switch (action) {
      case "open":
        return this.#show(path, line, column, line, column);
      case "select":
        return this.#show(path, line, column, toLine, toColumn);
      case "sweep":
        return this.#sweep(path, line, column);
      case "close":
        return this.#close(path);
      case "accept":
      case "reject":
        return this.#decide(path, action === "accept" ? "accepted" : "rejected");
      case "edit":
        this.#expect(path).text = rest[0] ?? "";
        return "";
      case "shows":
        return this.#find(path) ? "yes" : "no";
      case "folder":
        this.folders.push(path);
        this.emit("folders");
        return "";
      case "mention":
        this.emit("mention", path, line, column);
        return "";
      case "environment":
        return Object.entries(this.environment)
          .map((pair) => pair.join("="))
          .join("\n");
      default:
        throw new Error(`there is no action ${action}`);
    }
  }

  #show(path: string, line: number, column: number, toLine: number, toColumn: number): string {
    // Two events in one millisecond need an order, too.
    this.#clock = Math.max(this.#clock + 1, Date.now());
    const file = this.files.get(path) ?? { path, text: "", focusedAt: 0, anchor: 0, head: 0 };
    file.text = this.#readFile(path);
    file.focusedAt = this.#clock;
    file.anchor = offsetOf(file.text, line, column);
    file.head = offsetOf(file.text, toLine, toColumn);
    this.files.set(path, file);
    this.active = file;
    this.emit("change");
    return "";
  }

  async #sweep(path: string, first: number, last: number): Promise<string> {
    for (let line = first; line <= last; line += 1) {
      this.#show(path, line, 1, line, 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return "";
  }

  #close(path: string): string {
    if (this.#find(path)) return this.#decide(path, "closed");
    this.files.delete(path);
    this.active = [...this.files.values()].sort((a, b) => a.focusedAt - b.focusedAt).at(-1);
    this.emit("change");
    return "";
  }

  #decide(path: string, decision: Decision): string {
    const diff = this.#expect(path);
    diff.decide(decision, diff.text);
    return "";
  }

  #find(path: string): ShownDiff | undefined {
    return [...this.diffs].findLast((diff) => diff.filePath === path);
  }

  #expect(path: string): ShownDiff {
    const diff = this.#find(path);
    if (!diff) throw new Error(`no diff of ${path} is shown`);
    return diff;
  }
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}

/** Where the example's editor listens. */
export const editorSocket = ({ CONFORMANCE_FOLDER = tmpdir() }: NodeJS.ProcessEnv) =>
  addressIn(CONFORMANCE_FOLDER, "example-editor");

/** Where an example listens: a socket in a folder, on Windows a pipe that has both names. */
export function addressIn(folder: string, file: string, platform = process.platform): string {
  if (platform !== "win32") return join(folder, file);
  return `\\\\.\\pipe\\${`${folder}-${file}`.replaceAll(/[^\w.-]/g, "-")}`;
}

/** Lets `editor-command.js` drive an editor: one line with action and arguments, answered with the result. */
export function serveEditor(editor: ExampleEditor): Server {
  const server = createServer(async (socket) => {
    const [line = ""] = await once(createInterface({ input: socket }), "line");
    const [action = "", ...args]: string[] = JSON.parse(line);
    const answer = await editor.perform(action, args).then(
      (said) => ({ said }),
      (error: unknown) => ({ error: String(error) }),
    );
    socket.end(JSON.stringify(answer));
  });
  return server.listen(editorSocket(process.env));
}

/** An example companion. */
export interface Example {
  readonly editor: ExampleEditor;
  /** The signals that end it cleanly; SIGTERM unless it says so. */
  readonly endsBy?: readonly NodeJS.Signals[];
  close(): void | Promise<void>;
}

/** Lets an example be the whole of this process, driven by `editor-command.js` and ended by a signal. */
export function serveExample({ editor, endsBy = ["SIGTERM"], close }: Example): void {
  const remote = serveEditor(editor);
  onceAskedToEnd(endsBy, () => {
    void close();
    remote.close();
  });
}

/**
 * Calls when the kit asks this program to end: by a signal, on Windows by the end of its standard input. After that,
 * nothing of this keeps the program running.
 */
export function onceAskedToEnd(
  signals: readonly NodeJS.Signals[],
  end: () => void,
  program: Program = process,
): void {
  if (program.platform === "win32") program.stdin.once("end", end).resume();
  else for (const signal of signals) program.once(signal, end);
}

/** What is asked to end: this process. */
interface Program {
  readonly platform: NodeJS.Platform;
  readonly stdin: NodeJS.ReadableStream;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** Both counted from 1. */
export function positionOf(text: string, offset: number): { line: number; character: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, character: (lines.at(-1)?.length ?? 0) + 1 };
}

/** A file's text; empty for one that is not there. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // a new file, which has none
  }
}
