import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import * as vscode from "vscode";
import { checkedLanguages, ProposalDocuments, quietLanguageOf } from "./proposal-documents.ts";

const { commands, registered } = vi.hoisted(() => ({ commands: new Set<string>(), registered: new Map() }));

vi.mock("vscode", () => {
  const register = (kind: string) => (_scheme: string, provider: unknown) => {
    registered.set(kind, provider);
    return { dispose: () => registered.delete(kind) };
  };
  return {
    commands: {
      getCommands: async () => [...commands],
      executeCommand: vi.fn(async (command: string) => {
        if (!commands.has(command)) throw new Error(`command '${command}' not found`);
      }),
    },
    workspace: {
      registerTextDocumentContentProvider: register("content"),
      registerFileSystemProvider: register("files"),
    },
    EventEmitter: class {
      dispose() {}
    },
    Disposable: class {},
    FilePermission: { Readonly: 1 },
    FileType: { File: 1 },
    Uri: { parse: (text: string) => text },
  };
});

const makeWriteable = "workbench.action.files.setActiveEditorWriteableInSession";
const uri = vscode.Uri.parse("ide-companion:/a.txt?1");

beforeEach(() => {
  commands.clear();
  registered.clear();
  vi.mocked(vscode.commands.executeCommand).mockClear();
});

test("VS Code makes proposals writeable by its command, and they are never dirty", async () => {
  commands.add(makeWriteable);
  const documents = new ProposalDocuments({ textOf: () => "text", isReadOnly: () => true });
  expect(await documents.areFiles()).toBe(false);
  await documents.makeWriteable();
  expect([...registered.keys()]).toEqual(["content"]);
  expect(vscode.commands.executeCommand).toHaveBeenCalledExactlyOnceWith(makeWriteable);
  documents.dispose();
  expect(registered.size).toBe(0);
});

test("an edited proposal in Theia, which has no such command, can be saved, so that its tab can be closed", async () => {
  let text = "proposed: ä";
  const documents = new ProposalDocuments({ textOf: () => text, isReadOnly: () => false });
  expect(await documents.areFiles()).toBe(true);
  await documents.makeWriteable();
  expect([...registered.keys()]).toEqual(["files"]);
  expect(vscode.commands.executeCommand).not.toHaveBeenCalled();
  const files: vscode.FileSystemProvider = registered.get("files");
  const before = await files.stat(uri);
  expect(before).toEqual({ type: vscode.FileType.File, size: 12, ctime: 0, mtime: 0 });
  text = "edited";
  await files.writeFile(uri, Buffer.from(text), { create: false, overwrite: true });
  expect(String(await files.readFile(uri))).toBe("edited");
  expect(await files.stat(uri)).toMatchObject({ mtime: before.mtime });
  documents.dispose();
  expect(registered.size).toBe(0);
});

test("in Theia a proposal whose agent takes no edits is a read-only file", async () => {
  const documents = new ProposalDocuments({ textOf: () => "text", isReadOnly: (of) => of === uri });
  await documents.areFiles();
  const files: vscode.FileSystemProvider = registered.get("files");
  expect(await files.stat(uri)).toMatchObject({ permissions: vscode.FilePermission.Readonly });
  expect(await files.stat(vscode.Uri.parse("ide-companion:/a.txt?2"))).not.toHaveProperty("permissions");
});

test("each language that VS Code checks has a quiet counterpart with the same colours and brackets", () => {
  const folder = join(import.meta.dirname, "../..");
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));
  const { languages, grammars } = read("package.json").contributes;
  expect(languages.map(({ id }: { id: string }) => id)).toEqual(checkedLanguages.map(quietLanguageOf));
  for (const { configuration } of languages) expect(read(configuration).brackets).not.toEqual([]);
  for (const [index, { language, scopeName, path }] of grammars.entries()) {
    expect(language).toBe(languages[index].id);
    const scope = scopeName.replace(/\.ide-companion$/, "");
    expect(read(path)).toEqual({ scopeName, patterns: [{ include: scope }] });
  }
});
