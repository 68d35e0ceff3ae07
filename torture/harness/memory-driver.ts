import { type Companion, startCompanion } from "../../packages/companion/src/companion.ts";
import type { Editor, Proposal } from "../../packages/companion/src/core/editor.ts";
import { MemoryEditor } from "../../packages/companion/src/testing/memory-editor.ts";
import { type Driver, type EditorNews, expectDiff, type ShownDiff, toShownDiff } from "./driver.ts";
import type { Sandbox } from "./sandbox.ts";

/** A simulated editor with a companion in this process. */
export async function startMemoryDriver(sandbox: Sandbox): Promise<Driver> {
  const news: EditorNews[] = [];
  const diffs = new Map<string, ShownDiff>();
  let roots: readonly string[] = [sandbox.workspace];
  let generation = 0;
  let { memory, companion } = await begin();

  async function begin(): Promise<{ memory: MemoryEditor; companion: Companion }> {
    generation += 1;
    const memory = new MemoryEditor();
    const toId = prefix(generation);
    const editor = observe(memory, { diffs, news, toId });
    return { memory, companion: await startCompanion({ editor, roots, host: sandbox.host }) };
  }

  return {
    name: "memory",
    get port() {
      return companion.port;
    },
    serverPid: process.pid,
    diffs,
    news,
    focus: (context) => memory.look(context),
    async setRoots(next) {
      roots = next;
      await companion.setRoots(next);
    },
    edit(id, text) {
      const diff = diffs.get(id);
      if (!diff) return;
      diff.text = text;
      const shown = memory.diffs.get(withoutPrefix(id));
      if (!shown) return;
      shown.saveDraft(text);
    },
    async decide(id, kind) {
      const { isReadOnly } = expectDiff(diffs, id);
      const shown = memory.diffs.get(withoutPrefix(id));
      if (!shown) throw new Error(`the editor does not show ${id}`);
      const own = isReadOnly && { ownVersion: true };
      const result = shown.decide(kind === "accepted" ? { kind, ...own } : { kind });
      if (result.taken) {
        memory.diffs.delete(withoutPrefix(id));
        diffs.delete(id);
      }
      const words = result.taken ? result.notice : result.reason;
      return { taken: result.taken, ...(words && { code: words.code }) };
    },
    async restart() {
      await companion.close();
      ({ memory, companion } = await begin());
    },
    close: () => companion.close(),
  };
}

const prefix = (generation: number) => (id: string) => `${generation}:${id}`;
const withoutPrefix = (id: string) => id.slice(id.indexOf(":") + 1);

interface Observed {
  readonly diffs: Map<string, ShownDiff>;
  readonly news: EditorNews[];
  readonly toId: (id: string) => string;
}

/** Records what an editor is asked to do. */
function observe(memory: MemoryEditor, { diffs, news, toId }: Observed): Editor {
  return {
    info: memory.info,
    pid: memory.pid,
    onContext: (listener) => memory.onContext(listener),
    async show(change) {
      await memory.show(change);
      const { proposal } = change;
      const diff = toShownDiff(toId(proposal.id), proposal, baseOf(proposal));
      diffs.set(diff.id, diff);
      news.push({ kind: "shown", diff });
    },
    async hide(change, reason) {
      await memory.hide(change, reason);
      const diff = expectDiff(diffs, toId(change.id));
      diffs.delete(diff.id);
      news.push({ kind: "closed", diff, reason });
    },
    flush: (change) => memory.flush(change),
    async update(change, rebase) {
      const updated = memory.update(change, rebase);
      // At once: a decision that comes before the end of an await is of this text.
      const { text, proposal } = change;
      const shown = { proposed: proposal.newContent, base: baseOf(proposal), text };
      if (text === rebase.text) Object.assign(expectDiff(diffs, toId(change.id)), shown);
      await updated;
    },
  };
}

const baseOf = ({ base }: Proposal): string => (base.kind === "text" ? base.text : "");
