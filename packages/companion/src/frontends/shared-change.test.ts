import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { Editor, Rebase, ShownChange } from "../core/editor.ts";
import { createTestChange } from "../testing/test-change.ts";
import { SharedChange } from "./shared-change.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** An editor that answers when the test lets it, and reports what is typed when the test says so. */
class SlowEditor {
  text = "";
  #change: ShownChange | undefined;
  #asked: (() => void)[] = [];

  async show(change: ShownChange): Promise<void> {
    this.#change = change;
    this.text = change.text;
  }

  async update(change: ShownChange, { seen, text }: Rebase): Promise<void> {
    await new Promise<void>((go) => this.#asked.push(go));
    if (this.text === seen) this.text = text;
    change.write(this.text);
  }

  async flush(change: ShownChange): Promise<void> {
    change.write(this.text);
  }

  /** Types a word at the end of a line. */
  type(word: string, line: number): void {
    const lines = this.text.split("\n");
    const at = line % lines.length;
    this.text = lines.map((one, index) => (index === at ? `${one}${word}` : one)).join("\n");
  }

  report(): void {
    this.#change?.write(this.text);
  }

  /** @returns whether it was asked for something */
  answer(): boolean {
    const go = this.#asked.shift();
    go?.();
    return go !== undefined;
  }

  readonly hide = this.flush;
  readonly asEditor = this as unknown as Editor;
}

const step = fc.record({
  action: fc.constantFrom("type", "type", "report", "answer", "wait"),
  who: fc.constantFrom<[0, 1]>(0, 1),
  line: fc.nat(3),
});

test("two editors in which is typed at once lose no word of one change, and show the same in the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (taken) => {
      vi.useFakeTimers();
      const change = createTestChange({
        ...{ id: "1", sessionId: "s", agent: "Gemini CLI", filePath: "/nowhere/a.txt", openedAt: 0 },
        ...{ newContent: "one\ntwo\nthree\n", base: { kind: "missing" as const } },
      });
      const shared = new SharedChange(change);
      const editors = [new SlowEditor(), new SlowEditor()] as const;
      for (const { asEditor } of editors) await shared.showIn(asEditor);
      const typed: string[] = [];
      for (const [index, { action, who, line }] of taken.entries()) {
        const editor = editors[who];
        if (action === "type") {
          typed.push(`<${index}>`);
          editor.type(`<${index}>`, line);
        } else if (action === "wait") await vi.advanceTimersByTimeAsync(400);
        else editor[action]();
        await vi.advanceTimersByTimeAsync(0);
      }
      for (let calm = 0; calm < 3; calm += 1) {
        for (const editor of editors) {
          editor.report();
          if (editor.answer()) calm = 0;
        }
        await vi.advanceTimersByTimeAsync(400);
      }
      for (const word of typed) expect(change.text).toContain(word);
      for (const { text } of editors) expect(text).toBe(change.text);
      vi.useRealTimers();
    }),
    { numRuns: 500 },
  );
});
