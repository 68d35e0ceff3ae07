import path from "node:path";
import { describe, expect, test } from "vitest";
import type { ClientCapabilities } from "vscode-languageserver";
import { type PlainClientOptions, startPlainClient } from "../testing/plain-client.ts";

const literals = { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } };
const edits = (
  ...operations: ("create" | "rename" | "delete")[]
): Required<ClientCapabilities>["workspace"] => ({
  applyEdit: true,
  workspaceEdit: { resourceOperations: operations },
});

/** What a proposal becomes in an editor: a document, with choices in a message or without, or a page. */
type Means = "document with choices" | "document" | "page";

interface Replayed extends PlainClientOptions {
  readonly means: Means;
}

/** As seen in traffic; those that cannot be run here are in `announced.test.ts`. */
const editors: Readonly<Record<string, Replayed>> = {
  "Neovim 0.10 without a plugin": {
    name: "Neovim",
    capabilities: {
      window: { showDocument: { support: true }, showMessage: { messageActionItem: {} } },
      workspace: edits("rename", "create", "delete"),
      textDocument: literals,
    },
    means: "document",
  },
  "Helix 25.01, which shows documents without saying so": {
    name: "helix",
    capabilities: { workspace: edits("create", "rename", "delete"), textDocument: literals },
    means: "document",
  },
  "Emacs 28 with eglot, which answers nothing": {
    name: "Eglot",
    capabilities: {
      window: { showDocument: { support: true }, showMessage: { messageActionItem: {} } },
      workspace: { applyEdit: true },
    },
    onShow: "answers nothing",
    means: "page",
  },
  "Kate 22.12, which opens nothing and does not say who it is": {
    initializationOptions: { editor: "Kate" },
    capabilities: { workspace: { workspaceFolders: true }, textDocument: literals },
    onShow: "refuses",
    means: "page",
  },
  "an editor that has everything": { means: "document with choices" },
  "an editor that announces nothing at all": { capabilities: {}, means: "page" },
};

describe.each(Object.entries(editors))("a proposal in %s", (_, { means, ...options }) => {
  test(`is a ${means}`, async () => {
    const client = await startPlainClient(options);
    const asked: unknown[] = [];
    client.connection.onRequest("window/showMessageRequest", (params) => {
      asked.push(params);
      return null;
    });
    const filePath = path.join(client.root, "a.txt");
    const { result } = await (await client.agent()).call("openDiff", { filePath, newContent: "1\n" });
    expect(result).toEqual({ content: [] });
    if (means === "document with choices") await expect.poll(() => asked).toHaveLength(1);
    else {
      const { message } = await client.hears("window/showMessage");
      expect(message).toMatch(
        means === "page" ? /Review it at http:/ : /by a code action|space a: accept, reject/,
      );
      expect(asked).toEqual([]);
    }
    expect(client.shown).toHaveLength(means === "page" ? 0 : 1);
    await expect.poll(() => client.links).toHaveLength(means === "page" ? 1 : 0);
  });
});

describe("editors are spared", () => {
  test("empty hovers in Neovim, and everything that Helix asks one server only", async () => {
    const offered = async (name: string) => (await startPlainClient({ name })).serverCapabilities;
    expect(await offered("Neovim")).not.toHaveProperty("hoverProvider");
    expect(await offered("helix")).not.toHaveProperty("documentHighlightProvider");
    expect(await offered("Eglot")).toMatchObject({ hoverProvider: true, documentHighlightProvider: true });
  });

  test("completions, formatting and symbols, everywhere", async () => {
    const { serverCapabilities } = await startPlainClient();
    expect(Object.keys(serverCapabilities).sort()).toEqual([
      "codeActionProvider",
      "codeLensProvider",
      "documentHighlightProvider",
      "executeCommandProvider",
      "hoverProvider",
      "inlayHintProvider",
      "selectionRangeProvider",
      "signatureHelpProvider",
      "textDocumentSync",
      "workspace",
    ]);
  });

  test("code actions that nobody asked for", async () => {
    const client = await startPlainClient();
    const ask = (context: object) =>
      client.connection.sendRequest("textDocument/codeAction", {
        textDocument: { uri: "file:///a" },
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        context: { diagnostics: [], ...context },
      });
    expect(await ask({ triggerKind: 2 })).toEqual([]);
    expect(await ask({ only: ["quickfix"] })).toEqual([]);
    expect(await ask({ only: ["source"] })).toHaveLength(1);
  });

  test("code actions in another form than they take", async () => {
    const client = await startPlainClient({ capabilities: {} });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const [action] = await client.actions("/a", range);
    expect(action).toMatchObject({ command: "ide-companion.shareSelection" });
  });
});
