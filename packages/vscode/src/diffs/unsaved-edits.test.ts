import type { FileWrite } from "ide-companion/editor-kit";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeUri } from "../testing/fake-uri.ts";
import { UnsavedEdits } from "./unsaved-edits.ts";

const path = "/folder/src/a.txt";

/** One document of a window, and what its user is asked. */
const { fake } = vi.hoisted(() => ({
  fake: {
    text: "",
    disk: "",
    isDirty: true,
    asked: [] as string[],
    answer: (_: string | undefined) => {},
    onSave: (_: unknown) => {},
  },
}));

vi.mock("vscode", () => {
  const document = {
    get uri() {
      return Object.assign(new FakeUri(path), { fsPath: path });
    },
    get isDirty() {
      return fake.isDirty;
    },
    getText: () => fake.text,
  };
  class WorkspaceEdit {
    readonly edits: { line: number; end: number; text: string }[] = [];
    replace(_: unknown, { line, end }: { line: number; end: number }, text: string): void {
      this.edits.push({ line, end, text });
    }
  }
  return {
    Uri: FakeUri,
    WorkspaceEdit,
    Range: class {
      readonly line: number;
      readonly end: number;
      constructor(line: number, _: number, end: number) {
        this.line = line;
        this.end = end;
      }
    },
    Disposable: { from: () => ({ dispose() {} }) },
    l10n: {
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at) => values[at] ?? ""),
    },
    commands: {
      // The only one: the document holds its file again.
      executeCommand: async () => {
        fake.text = fake.disk;
      },
    },
    window: {
      showTextDocument: async () => {},
      showWarningMessage: (message: string) => {
        fake.asked.push(message);
        return new Promise((resolve) => {
          fake.answer = resolve;
        });
      },
    },
    workspace: {
      asRelativePath: (of: string) => of.replace("/folder/", ""),
      textDocuments: [document],
      onDidSaveTextDocument: (listener: (saved: unknown) => void) => {
        fake.onSave = () => listener(document);
      },
      onDidCloseTextDocument: () => {},
      onDidChangeTextDocument: () => {},
      applyEdit: async ({ edits }: WorkspaceEdit) => {
        const lines = fake.text.split(/(?<=\n)/);
        for (const { line, end, text } of [...edits].reverse()) lines.splice(line, end - line, text);
        fake.text = lines.join("");
      },
    },
  };
});

const written = (before: string): FileWrite => ({
  ...{ agent: "Gemini CLI", filePath: path, before },
});

beforeEach(() => Object.assign(fake, { text: "mine\n2\n3\n4\n5\n", isDirty: true, asked: [] }));

test("edits that are not saved are merged with all that an agent has written since, after one question", async () => {
  const edits = new UnsavedEdits();
  const first = edits.offer(written("1\n2\n3\n4\n5\n"));
  await edits.offer(written("1\n2\nthird\n4\n5\n"));
  expect(fake.asked).toEqual(["Gemini CLI has written src/a.txt, which has edits that you have not saved."]);
  fake.disk = "1\n2\nthird\n4\nfifth\n";
  fake.answer("Merge");
  await first;
  expect(fake.text).toBe("mine\n2\nthird\n4\nfifth\n");
});

test("who does not merge keeps the edits, and is asked again at the next write, from the same text before", async () => {
  const edits = new UnsavedEdits();
  const first = edits.offer(written("1\n2\n3\n4\n5\n"));
  fake.answer(undefined);
  await first;
  expect(fake.text).toBe("mine\n2\n3\n4\n5\n");
  const second = edits.offer(written("1\n2\nthird\n4\n5\n"));
  fake.disk = "1\n2\nthird\n4\nfifth\n";
  fake.answer("Merge");
  await second;
  expect(fake.text).toBe("mine\n2\nthird\n4\nfifth\n");
});

test("a document that is saved meanwhile is left alone, and nobody is asked about one without edits", async () => {
  const edits = new UnsavedEdits();
  const first = edits.offer(written("1\n2\n3\n4\n5\n"));
  fake.isDirty = false;
  fake.onSave(undefined);
  fake.disk = "other\n";
  fake.answer("Merge");
  await first;
  expect(fake.text).toBe("mine\n2\n3\n4\n5\n");
  await edits.offer(written("1\n"));
  expect(fake.asked).toHaveLength(1);
});
