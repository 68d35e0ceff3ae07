import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import {
  type EditsFolder,
  openEditsFolder,
} from "../../packages/companion/src/core/edits/recovered-edits.ts";
import { editsFolder } from "../../packages/companion/src/system/host.ts";
import type { Cli } from "../harness/cli.ts";
import { createCopilotCli } from "../harness/copilot-cli.ts";
import type { Driver } from "../harness/driver.ts";
import { createLibraryCli } from "../harness/library-cli.ts";
import { startLspDriver } from "../harness/lsp-driver.ts";
import { startMemoryDriver } from "../harness/memory-driver.ts";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";
import { createWireCli } from "../harness/wire-cli.ts";
import { fileCount } from "./action.ts";
import type { Connected, Owed, Tracked } from "./record.ts";

/** When a session without a stream may expire, in milliseconds. */
const expiry = 9000;

/** Four CLIs and two editors, which outlive a sequence. */
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
  /** CLIs whose companion was killed: the next one ends the diffs that it has left. */
  readonly #bereft = new Set<number>();
  /** CLIs that each editor's companion has had, also those that leave as it is killed. */
  readonly #served: readonly Set<number>[] = [new Set(), new Set()];
  /** The folders of each editor. */
  readonly roots: (readonly string[])[];
  /** What each editor's user has focused since its companion started. */
  readonly focused: ({ path: string; line: number; selected: string } | undefined)[] = [undefined, undefined];
  /** The time of the last focus; it only orders them. */
  clock = 0;

  private constructor(sandbox: Sandbox, drivers: readonly Driver[]) {
    this.sandbox = sandbox;
    this.drivers = drivers;
    this.folder = openEditsFolder(editsFolder(sandbox.host));
    this.edits = new EditsStore({ folder: this.folder });
    this.clis = [
      createWireCli("gemini", sandbox.host),
      createWireCli("qwen", sandbox.host),
      createLibraryCli(sandbox),
      createCopilotCli(sandbox.host),
    ];
    this.files = Array.from({ length: fileCount }, (_, index) =>
      join(sandbox.workspace, `file ${index}.txt`),
    );
    this.roots = drivers.map(() => [sandbox.workspace]);
    for (const name of ["a", "b"]) mkdirSync(join(sandbox.workspace, name));
    for (const path of [...this.visibleFiles, ...this.files.slice(0, 2)]) this.write(path, "before\n");
  }

  static async start(): Promise<Fixture> {
    const sandbox = createSandbox();
    return new Fixture(sandbox, [await startMemoryDriver(sandbox), await startLspDriver(sandbox)]);
  }

  /** Files that users focus. */
  get visibleFiles(): readonly string[] {
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
    const driver = this.driver(editor);
    const session = await this.cli(cli).connect(driver.port);
    const left = session.behaviour.outwaitsCompanion && this.#bereft.has(cli) ? this.files : [];
    this.#served[editor]?.add(cli);
    this.connected[cli] = {
      cli,
      editor,
      port: driver.port,
      session,
      expected: left.map((path) => ({ kind: "rejected", path, texts: [], optional: true })),
      written: 0,
      isOver: false,
      underway: [],
    };
  }

  /** The companion of an editor ends. */
  bereave(editor: number, { isKilled }: { readonly isKilled: boolean }): void {
    const served = this.#served[editor] ?? new Set();
    if (isKilled) for (const cli of served) this.#bereft.add(cli);
    served.clear();
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

  /** Ends everything; idempotent. */
  async close(): Promise<void> {
    try {
      await Promise.all([...this.clis, ...this.drivers].map((each) => each.close()));
    } finally {
      this.sandbox.remove();
    }
  }

  /** @throws Error for an editor that does not exist */
  driver(editor: number): Driver {
    const driver = this.drivers[editor];
    if (!driver) throw new Error(`there is no editor ${editor}`);
    return driver;
  }

  cli(cli: number): Cli {
    const found = this.clis[cli];
    if (!found) throw new Error(`there is no CLI ${cli}`);
    return found;
  }
}
