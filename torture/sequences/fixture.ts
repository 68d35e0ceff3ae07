import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { DecisionResult } from "../../packages/companion/src/core/editor.ts";
import { type EditsFolder, openEditsFolder } from "../../packages/companion/src/core/edits/edits-folder.ts";
import { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import { editsFolder } from "../../packages/companion/src/system/state-folder.ts";
import type { Cli, CliSession, Reply } from "../harness/cli.ts";
import type { Driver } from "../harness/driver.ts";
import { createLibraryCli } from "../harness/library-cli.ts";
import { startLspDriver } from "../harness/lsp-driver.ts";
import { startMemoryDriver } from "../harness/memory-driver.ts";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";
import { createWireCli } from "../harness/wire-cli.ts";
import { type Action, fileCount } from "./action.ts";
import type { Owed } from "./judge-owed.ts";
import type { Connected, Done, Tracked } from "./record.ts";

/** How long typed text may be in memory only, with a margin for busy machines; in milliseconds. */
const unwritten = 500;

/** When a session without a stream may expire, in milliseconds. */
const expiry = 9000;

/** Three CLIs and two editors, which outlive a sequence. */
export class Fixture {
  readonly sandbox: Sandbox;
  readonly drivers: readonly Driver[];
  readonly clis: readonly Cli[];
  readonly files: readonly string[];
  /** What the files must hold. */
  readonly ledger = new Map<string, Buffer>();
  /** The sessions of the current sequence, by CLI. */
  readonly connected: (Connected | undefined)[] = [];
  /** Abandoned sessions, which their companions still expect. */
  orphans: Connected[] = [];
  /** The companions' recovered edits, and their files. */
  readonly edits: EditsStore;
  readonly folder: EditsFolder;
  /** Typed texts that are neither in their files nor offered yet, as far as the model knows. */
  owed: Owed[] = [];
  /** Diffs on the screens, according to the model. */
  tracked: Tracked[] = [];
  /** The folders of each editor. */
  readonly roots: (readonly string[])[];
  /** What each editor's user has focused since its companion started. */
  readonly focused: ({ path: string; line: number; selected: string } | undefined)[] = [undefined, undefined];
  #clock = 0;

  private constructor(sandbox: Sandbox, drivers: readonly Driver[]) {
    this.sandbox = sandbox;
    this.drivers = drivers;
    this.folder = openEditsFolder(editsFolder(sandbox.host));
    this.edits = new EditsStore({ folder: this.folder });
    this.clis = [
      createWireCli("gemini", sandbox.host),
      createWireCli("qwen", sandbox.host),
      createLibraryCli(sandbox),
    ];
    this.files = Array.from({ length: fileCount }, (_, index) =>
      join(sandbox.workspace, `file ${index}.txt`),
    );
    this.roots = drivers.map(() => [sandbox.workspace]);
    for (const name of ["a", "b"]) mkdirSync(join(sandbox.workspace, name));
    for (const path of [...this.#visibleFiles, ...this.files.slice(0, 2)]) this.write(path, "before\n");
  }

  static async start(): Promise<Fixture> {
    const sandbox = createSandbox();
    return new Fixture(sandbox, [await startMemoryDriver(sandbox), await startLspDriver(sandbox)]);
  }

  get #visibleFiles(): readonly string[] {
    return ["seen 0.txt", "seen 1.txt"].map((name) => join(this.sandbox.workspace, name));
  }

  /** As a CLI writes what was accepted. */
  write(path: string, content: string): void {
    writeFileSync(path, content);
    this.ledger.set(path, Buffer.from(content));
  }

  /** The current content of a file; undefined when there is none. */
  read(path: string): Buffer | undefined {
    try {
      return readFileSync(path);
    } catch {
      return undefined; // not written yet
    }
  }

  /** Whether the file begins with a byte order mark, or did before it was written last. */
  hasMark(path: string): boolean {
    const mark = Buffer.from("\uFEFF");
    return [this.read(path), this.ledger.get(path)].some((bytes) => bytes?.subarray(0, 3).equals(mark));
  }

  async connect(cli: number, editor: number): Promise<void> {
    const driver = this.#driver(editor);
    const session = await this.#cli(cli).connect(driver.port);
    this.connected[cli] = {
      cli,
      editor,
      port: driver.port,
      session,
      expected: [],
      written: 0,
      isOver: false,
    };
  }

  /** Prepares an action; its subject is chosen before the rest of its burst happens. */
  begin(action: Action): () => Promise<Done> {
    const done = this.#prepare(action);
    return async () => {
      try {
        await done.run?.();
      } catch (error) {
        done.record.error = error instanceof Error ? error.message : String(error);
      }
      return done.record;
    };
  }

  /** Ends everything; idempotent. */
  async close(): Promise<void> {
    try {
      await Promise.all([...this.clis, ...this.drivers].map((each) => each.close()));
    } finally {
      this.sandbox.remove();
    }
  }

  #prepare(action: Action): { record: Done; run?: () => Promise<void> } {
    const record: Done = { action };
    switch (action.do) {
      case "open":
        return this.#call(record, action, (session, path) => session.open(path, action.text));
      case "close":
        return this.#call(record, action, (session, path) => session.close(path, action.suppress));
      case "acceptDiff":
      case "rejectDiff":
        return this.#call(record, action, (session, path) =>
          session.decide?.(action.do as "acceptDiff", path),
        );
      case "edit":
      case "accept":
      case "reject":
        return this.#byUser(record, action);
      case "focus":
        return { record, run: async () => this.#focus(action) };
      case "roots":
        return { record, run: () => this.#setRoots(action.editor, action.folders) };
      case "connect":
        return { record, run: () => this.#reconnect(record, action.cli, action.editor) };
      case "restart":
      case "kill companion":
      case "kill editor":
        return this.#end(record, action.editor, action.do);
      default:
        return this.#handle(record, action);
    }
  }

  #call(
    record: Done,
    { cli, file }: { cli: number; file: number },
    run: (session: CliSession, path: string) => Promise<Reply> | undefined,
  ) {
    const connected = this.connected[cli];
    const path = this.files[file] ?? "";
    if (!connected) return { record };
    record.connected = connected;
    record.path = path;
    return {
      record,
      run: async () => {
        const reply = await run(connected.session, path);
        if (reply) record.reply = reply;
      },
    };
  }

  #byUser(record: Done, action: Extract<Action, { pick: number }>) {
    const { editor, pick, do: what } = action;
    const driver = this.#driver(editor);
    const shown = this.tracked.filter((diff) => diff.editor === editor && diff.isOfThisSequence);
    const diff = shown[pick % shown.length];
    if (!diff) return { record };
    record.diff = diff;
    return {
      record,
      run: async () => {
        const present = driver.diffs.get(diff.id);
        if (!present) return; // it ended in this burst
        if (action.do === "edit") return driver.edit(diff.id, action.text);
        record.text = present.text;
        record.result = (await driver.decide(
          diff.id,
          what === "accept" ? "accepted" : "rejected",
        )) as DecisionResult;
      },
    };
  }

  #handle(
    record: Done,
    { do: what, cli }: Extract<Action, { do: "drop" | "stall" | "resume" | "leave" | "kill cli" }>,
  ) {
    const connected = this.connected[cli];
    if (!connected) return { record };
    record.connected = connected;
    const { session } = connected;
    if (what === "drop") {
      return {
        record,
        run: async () => {
          connected.droppedAt ??= performance.now();
          await session.drop?.();
        },
      };
    }
    if (what === "stall") {
      return {
        record,
        run: async () => {
          connected.droppedAt ??= performance.now();
          session.stall?.();
        },
      };
    }
    if (what === "resume") return { record, run: () => this.resume(connected) };
    connected.isOver = true;
    this.connected[cli] = undefined;
    if (what === "leave") return { record, run: () => session.leave() };
    return { record, run: () => this.#abandon(connected) };
  }

  async resume(connected: Connected): Promise<void> {
    // It is broken first: a companion that ends at this moment cannot reach it.
    connected.droppedAt ??= performance.now();
    const silence = performance.now() - connected.droppedAt;
    try {
      await connected.session.resume?.();
      delete connected.droppedAt;
    } catch (error) {
      if (silence < expiry) throw error;
      // The machine was too slow: the companion need not wait for this session.
      connected.isOver = true;
      this.connected[connected.cli] = undefined;
    }
  }

  async #abandon(connected: Connected): Promise<void> {
    connected.isOver = true;
    connected.abandonedAt = performance.now();
    this.orphans.push(connected);
    await connected.session.kill();
  }

  /** As `/ide enable` does: it abandons the old session. */
  async #reconnect(record: Done, cli: number, editor: number): Promise<void> {
    const last = this.connected[cli];
    this.connected[cli] = undefined;
    if (last) {
      record.connected = last;
      await (cli === 2 ? this.#leave(last) : this.#abandon(last));
    }
    await this.connect(cli, editor);
  }

  async #leave(connected: Connected): Promise<void> {
    connected.isOver = true;
    await connected.session.leave();
  }

  #end(record: Done, editor: number, what: "restart" | "kill companion" | "kill editor") {
    const driver = this.#driver(editor);
    for (const [cli, connected] of this.connected.entries()) {
      if (connected?.editor !== editor) continue;
      connected.isOver = true;
      connected.end = what;
      this.connected[cli] = undefined;
    }
    for (const orphan of this.orphans) if (orphan.editor === editor) orphan.end = what;
    this.orphans = this.orphans.filter((orphan) => orphan.editor !== editor);
    this.focused[editor] = undefined;
    const run = {
      restart: () => driver.restart(),
      "kill companion": () => driver.killCompanion?.() ?? driver.restart(),
      "kill editor": () => driver.killEditor?.() ?? driver.restart(),
    }[what];
    const isEdited = [...driver.diffs.values()].some(({ text, proposed }) => text !== proposed);
    return {
      record,
      run: async () => {
        // Recently typed text may be in memory only.
        if (isEdited && what !== "restart") await delay(unwritten);
        await run();
      },
    };
  }

  #focus({ editor, file, line, selected }: Extract<Action, { do: "focus" }>): void {
    const path = this.#visibleFiles[file] ?? "";
    this.focused[editor] = { path, line, selected };
    const files = this.#visibleFiles.map((each) => ({
      path: each,
      focusedAt: ++this.#clock,
      cursor: { line, character: 1 },
      ...(selected !== "" && { selectedText: selected }),
    }));
    this.#driver(editor).focus({ files, activePath: path });
  }

  async #setRoots(editor: number, folders: number): Promise<void> {
    const { workspace } = this.sandbox;
    const roots =
      [[workspace], [join(workspace, "a"), join(workspace, "b")], [workspace, join(workspace, "a")]][
        folders
      ] ?? [];
    this.roots[editor] = roots;
    await this.#driver(editor).setRoots(roots);
  }

  #driver(editor: number): Driver {
    const driver = this.drivers[editor];
    if (!driver) throw new Error(`there is no editor ${editor}`);
    return driver;
  }

  #cli(cli: number): Cli {
    const found = this.clis[cli];
    if (!found) throw new Error(`there is no CLI ${cli}`);
    return found;
  }
}
