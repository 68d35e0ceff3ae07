import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { WireClient, WireEvent } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { EditsStore } from "../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../core/edits/recovered-edits.ts";
import { createSharing } from "../../core/sharing/sharing.ts";
import { ReviewModes } from "../../core/written/review-mode.ts";
import { editsFolder } from "../../system/host.ts";
import { createLspClient, discoveryContents, type LspClient } from "./testing/lsp-client.ts";

const announcement = { experimental: { ideCompanion: { version: 1 } } };

/** An editor with a plugin that shows every diff and gives back what was proposed, with `!` at its end. */
async function startPlugin(): Promise<LspClient & { shown: Record<string, unknown>[] }> {
  const client = createLspClient();
  const shown: Record<string, unknown>[] = [];
  client.connection.onRequest("companion/openDiff", (params) => {
    shown.push(params);
    return null;
  });
  const text = ({ id }: { id: string }) => ({
    content: `${shown.find((diff) => diff.id === id)?.newContent}!`,
  });
  client.connection.onRequest("companion/closeDiff", text);
  client.connection.onRequest("companion/readDiff", text);
  await client.start({ capabilities: announcement, clientInfo: { name: "Neovim", version: "0.10.4" } });
  return Object.assign(client, { shown });
}

const openDiff = (agent: WireClient, filePath: string, newContent: string) =>
  agent.call("openDiff", { filePath, newContent });

describe("an editor with a plugin", () => {
  test("is known by its name, its process and its folders", async () => {
    const client = await startPlugin();
    expect(await discoveryContents(client.host, "qwen")).toMatchObject({
      ideInfo: { name: "neovim", displayName: "Neovim" },
      ppid: process.pid,
      workspacePath: client.root,
    });
  });

  test("is asked for no text documents", async () => {
    const client = createLspClient();
    const { capabilities } = await client.start({ capabilities: announcement });
    expect(capabilities.textDocumentSync).toMatchObject({ openClose: false, change: 0 });
    expect(capabilities.hoverProvider).toBeUndefined();
  });

  test("receives which agents it can start", async () => {
    const client = createLspClient();
    const { capabilities } = await client.start({ capabilities: announcement });
    expect(capabilities.experimental).toEqual({
      ideCompanion: {
        version: 1,
        agents: [
          {
            name: "gemini",
            displayName: "Gemini CLI",
            command: "gemini",
            resumeArguments: ["--resume", "latest"],
          },
          { name: "qwen", displayName: "Qwen Code", command: "qwen", resumeArguments: ["--continue"] },
          { name: "claude", displayName: "Claude Code", command: "claude", resumeArguments: ["--continue"] },
          {
            name: "codex",
            displayName: "Codex CLI",
            command: "codex",
            resumeArguments: ["resume", "--last"],
          },
          {
            name: "copilot",
            displayName: "Copilot CLI",
            command: "copilot",
            resumeArguments: ["--continue"],
          },
        ],
      },
    });
  });

  test("tells agents what the user looks at", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    const stream = await agent.openStream();
    const file = path.join(client.root, "a b.txt");
    writeFileSync(file, "one\ntwo\n");
    const cursor = { line: 2, character: 3 };
    await client.connection.sendNotification("companion/context", {
      files: [
        { path: file, focusedAt: 7, cursor, selectedText: "tw" },
        { path: "/nowhere", focusedAt: 8 },
      ],
      activePath: file,
    });
    const { params } = await stream.next((event) => JSON.stringify(event.params).includes("a b.txt"));
    expect(params).toEqual({
      workspaceState: {
        openFiles: [{ path: file, timestamp: 8, isActive: true, cursor, selectedText: "tw" }],
      },
    });
  });

  test("tells agents nothing of what the user keeps from them, and the editor what that is", async () => {
    const client = createLspClient();
    await client.start({
      capabilities: announcement,
      initializationOptions: { exclude: ["private/"] },
    });
    const stream = await (await client.agent()).openStream();
    mkdirSync(path.join(client.root, "private"));
    const files = ["a.txt", ".env", "private/b.txt"].map((name, index) => {
      const file = path.join(client.root, name);
      writeFileSync(file, "");
      return { path: file, focusedAt: index, selectedText: `TOKEN=${index}` };
    });
    const [open, env, secret] = files.map((file) => file.path);
    await client.connection.sendNotification("companion/context", { files, activePath: env });
    const { params } = await stream.next((event) => JSON.stringify(event.params).includes("a.txt"));
    expect(params).toEqual({ workspaceState: { openFiles: [{ path: open, timestamp: 0 }] } });
    expect(JSON.stringify(stream.events)).not.toContain("TOKEN");
    const isSent = ({ excluded }: Record<string, unknown>) =>
      Array.isArray(excluded) && excluded.length === 2;
    expect(await client.hears("companion/status", isSent)).toMatchObject({
      paused: false,
      excluded: [env, secret],
    });
    const pause = (paused: boolean) => client.connection.sendRequest("companion/pause", { paused });
    const message = "Sharing is paused: agents do not see what you look at.";
    expect(await pause(true)).toEqual({ message });
    await client.hears("companion/status", ({ paused }) => paused === true);
    const isEmpty = (event: WireEvent) =>
      JSON.stringify(event.params) === JSON.stringify({ workspaceState: { openFiles: [] } });
    await stream.next((event) => stream.events.indexOf(event) > 0 && isEmpty(event));
    expect(await pause(false)).toEqual({ message: "Sharing is resumed." });
  });

  test("says and sets when its user reviews what agents write", async () => {
    const client = createLspClient();
    await client.start({ capabilities: announcement });
    const review = (params: object) => client.connection.sendRequest("companion/review", params);
    expect(await review({})).toEqual({
      message: "after: each agent of this folder writes, and you look at that afterwards.",
    });
    expect(await review({ mode: "before" })).toEqual({
      message: "before: each agent of this folder asks you in your editor before it writes.",
    });
    const modes = new ReviewModes(client.host);
    expect(modes.in(path.join(client.root, "below")).find("gemini").mode).toBe("before");
    modes.set(client.root, "off", ["codex"]);
    expect(await review({})).toEqual({
      message: "before: Gemini CLI, Qwen Code, Claude Code, Copilot CLI, opencode. off: Codex CLI.",
    });
    await expect(review({ mode: "never" })).rejects.toThrow();
  });

  test("lets no agent accept its own changes where the editor's settings say so", async () => {
    const client = createLspClient();
    await client.start({ capabilities: announcement, initializationOptions: { agentAccept: false } });
    const { message } = await (await client.agent()).request("tools/list", {});
    expect(JSON.stringify(message.result)).toContain('"openDiff"');
    expect(JSON.stringify(message.result)).not.toContain('"acceptDiff"');
  });

  test("is found in the repositories of its folders, where it wants that, and never in all of the home", async () => {
    const client = createLspClient();
    const [deep, own] = [path.join(client.root, "deep"), path.join(client.host.home, "own")];
    for (const folder of [deep, own, path.join(client.root, ".git"), path.join(client.host.home, ".git")])
      mkdirSync(folder, { recursive: true });
    const asFolders = (uri: string) => [{ uri, name: "" }];
    const ideCompanion = { version: 1, repositories: true };
    await client.start({
      capabilities: { experimental: { ideCompanion } },
      workspaceFolders: asFolders(deep),
    });
    const found = async () => (await discoveryContents(client.host, "gemini")).workspacePath;
    expect(await found()).toBe(client.root);
    const event = { added: asFolders(own), removed: asFolders(deep) };
    await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
    await expect.poll(found).toBe(own);
  });

  test("sends no reference to a file that is kept from agents, and gives back the text where no agent takes it", async () => {
    const client = createLspClient();
    await client.start({
      capabilities: { experimental: { ideCompanion: { version: 1, diagnostics: true } } },
    });
    const [plain = "", env = ""] = ["a.txt", ".env"].map((name) => path.join(client.root, name));
    const ask = (message: object) =>
      client.connection.sendRequest("companion/send", { ...message, folder: client.root });
    const found = { line: 3, character: 1, severity: "error", message: "no such name", code: 2304 };
    client.connection.onRequest("companion/diagnostics", ({ path: file }) => ({
      diagnostics: [
        { ...found, path: file },
        { ...found, path: file, line: 1, endLine: 2, endCharacter: 1, message: "no such type" },
        { ...found, path: file, line: 5 },
      ],
    }));
    const lines = { first: 2, last: 3 };
    const place = { path: plain, lines };
    expect(await ask({ mentions: [place], diagnostics: place, text: "why?" })).toEqual({
      message: "No agent's prompt can be reached: it is {place}",
      copy: "why?\n@a.txt (lines 2-3)\n@a.txt (line 1): error: no such type (2304)\n@a.txt (line 3): error: no such name (2304) ",
      types: true,
    });
    expect(await ask({ diagnostics: { path: plain, lines: { first: 4, last: 4 } } })).toEqual({
      message: "There are no diagnostics on these lines.",
    });
    const isKept = { message: ".env is kept from agents, and was not sent." };
    expect(await ask({ mentions: [{ path: plain }, { path: env }] })).toEqual(isKept);
    expect(await ask({ diagnostics: { path: env, lines } })).toEqual(isKept);
    expect(await ask({ mentions: [{ path: `${plain}\x03` }] })).toEqual({
      message: "The name of a file holds control characters.",
    });
    const sharing = createSharing({ host: client.host, roots: () => [client.root] });
    onTestFinished(sharing.close);
    sharing.pause(true);
    await client.hears("companion/status", ({ paused }) => paused === true);
    expect(await ask({ text: "why?" })).toEqual({
      message: "Sharing is paused: the agents receive no files.",
    });
  });

  test("says when the user's rules cannot be understood, and shares nothing then", async () => {
    const client = createLspClient();
    await client.start({ capabilities: announcement, initializationOptions: { exclude: ".env" } });
    const { message } = await client.hears("window/showMessage");
    expect(message).toBe(
      'initializationOptions: exclude must be a list of texts, got ".env". Until that is put right nothing is shared with agents.',
    );
  });

  test("shows a proposal with the text it is compared with, in the proposal's line ends", async () => {
    const client = await startPlugin();
    const file = path.join(client.root, "crlf.txt");
    writeFileSync(file, "\uFEFFone\r\ntwo\r\n");
    await openDiff(await client.agent("qwen"), file, "one\n2\n");
    expect(client.shown).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-1$/),
        agent: "Qwen Code",
        filePath: file,
        label: "crlf.txt",
        newContent: "one\n2\n",
        original: "one\ntwo\n",
        notes: ["The file has CRLF line ends; they are kept.", "The file has a byte order mark; it is kept."],
        facts: [],
        hunks: [{ line: 2, added: 1, from: 2, removed: 1 }],
      },
    ]);
  });

  test("says of a change of Gemini CLI that the CLI shows no other one before it, after a Ctrl-C there as well", async () => {
    const client = await startPlugin();
    const file = path.join(client.root, "a.txt");
    writeFileSync(file, "one\n");
    await openDiff(await client.agent("gemini"), file, "1\n");
    expect(client.shown[0]?.notes).toEqual(["Gemini CLI waits for this before it shows another."]);
    await openDiff(await client.agent("qwen"), file, "1\n");
    expect(client.shown[1]?.notes).toEqual([]);
  });

  test("hears with each draft where it differs from the file, and how faintly", async () => {
    const client = await startPlugin();
    const file = path.join(client.root, "a.txt");
    writeFileSync(file, "\uFEFFone\r\ntwo\r\n");
    await openDiff(await client.agent(), file, "one\n2\n");
    const [id] = await client.waiting();
    const type = (content: string) => client.connection.sendRequest("companion/draft", { id, content });
    expect(await type("zero\none\n")).toEqual({
      hunks: [
        { line: 1, added: 1, from: 1, removed: 0 },
        { line: 3, added: 0, from: 2, removed: 1 },
      ],
      facts: [],
      comments: [],
    });
    expect(await type("one\ntwo")).toEqual({
      hunks: [{ line: 2, added: 1, from: 2, removed: 1 }],
      facts: ["only the last newline"],
      comments: [],
    });
    await client.connection.sendRequest("companion/diffRejected", { id });
    expect(await type("mine")).toBeNull();
  });

  test.each([
    ["a\n", "a\n", ["no difference"]],
    ["a\r\nb\n", "a\nb\r\n", ["only line ends"]],
    ["a", "a\n", ["only the last newline"]],
    ["\tcc\n", "  cc\n", ["only white space"]],
    ["a\n", "b\n", []],
    [Buffer.from("caf\xe9\nb\n\xe9\n", "latin1"), "b\n", ["replaces 2 non-UTF-8 lines"]],
    [Buffer.from([0, 0, 255]), "b\n", ["replaces a file that is no text"]],
  ])("hears what a diff shows badly: %j against %j", async (before, after, expected) => {
    const client = await startPlugin();
    const file = path.join(client.root, "a.txt");
    writeFileSync(file, before);
    await openDiff(await client.agent(), file, after);
    expect(client.shown[0]?.facts).toEqual(expected);
  });

  test("accepts with its user's text, once", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    const stream = await agent.openStream();
    const filePath = path.join(client.root, "new", "file.txt");
    await openDiff(agent, filePath, "proposed");
    expect(client.shown[0]).toMatchObject({ original: null, label: path.join("new", "file.txt") });
    const [id] = await client.waiting();
    const accept = () => client.connection.sendRequest("companion/diffAccepted", { id, content: "final" });
    expect(await accept()).toEqual({ taken: true });
    expect((await stream.method("ide/diffAccepted")).params).toEqual({ filePath, content: "final" });
    expect(await accept()).toEqual({
      taken: false,
      code: "decided",
      reason: "This change has already been decided elsewhere.",
    });
  });

  test("hears within two seconds whether what its user has accepted is written, or differently", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    const accept = async (name: string, write: (file: string) => void) => {
      const filePath = path.join(client.root, name);
      await openDiff(agent, filePath, "proposed");
      const [id = ""] = await client.waiting();
      await client.connection.sendRequest("companion/diffAccepted", { id, content: "proposed" });
      write(filePath);
      return id;
    };
    const first = await accept("a.txt", () => {});
    const second = await accept("b.txt", (file) => writeFileSync(file, "other"));
    const third = await accept("c.txt", (file) => writeFileSync(file, "proposed"));
    const warned = (message: string) =>
      client.hears("window/showMessage", (params) => params.type === 2 && params.message === message);
    await warned("Gemini CLI did not write a.txt: the file is as it was before you accepted.");
    await warned("Gemini CLI wrote b.txt differently from what you accepted.");
    expect(JSON.stringify(client.reported)).not.toMatch(/(?:write|wrote) c\.txt/);
    const news = async (id: string) => client.hears("companion/fileWritten", (params) => params.id === id);
    const about = (id: string, label: string) => ({
      id,
      agent: "Gemini CLI",
      filePath: path.join(client.root, label),
      label,
      isNew: true,
    });
    expect(await news(first)).toEqual({ ...about(first, "a.txt"), isWritten: false });
    expect(await news(second)).toEqual({ ...about(second, "b.txt"), isWritten: true });
    expect(await news(third)).toEqual({ ...about(third, "c.txt"), isWritten: true });
  });

  test("merges unsaved edits with what an agent has written, in their line ends", async () => {
    const client = await startPlugin();
    const filePath = path.join(client.root, "a.txt");
    const merge = (content: string) =>
      client.connection.sendRequest("companion/merge", { filePath, before: "one\ntwo\nthree\n", content });
    writeFileSync(filePath, "\uFEFFone\r\ntwo\r\n3\r\n");
    const edits = [{ line: 3, added: 1, from: 3, removed: 1 }];
    const both = { content: "\uFEFF1\r\ntwo\r\n3\r\n", isClean: true, edits };
    expect(await merge("\uFEFF1\r\ntwo\r\nthree\r\n")).toEqual(both);
    expect(await merge("one\ntwo\nmine\n")).toMatchObject({
      content: "one\ntwo\n<<<<<<< on disk\n3\n||||||| before\nthree\n=======\nmine\n>>>>>>> your edits\n",
      isClean: false,
    });
    rmSync(filePath);
    await expect(merge("")).rejects.toThrow("cannot be merged: it is no text now");
  });

  test("hears why an empty text is not taken, and keeps its diff", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    await openDiff(agent, path.join(client.root, "a"), "proposed");
    const [id] = await client.waiting();
    const result = await client.connection.sendRequest("companion/diffAccepted", { id, content: "" });
    expect(result).toMatchObject({ taken: false, reason: expect.stringContaining("empty text") });
    expect(await client.connection.sendRequest("companion/diffRejected", { id })).toEqual({ taken: true });
  });

  test("gives back its text when the agent closes the diff", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    const filePath = path.join(client.root, "a");
    await openDiff(agent, filePath, "proposed");
    const { result } = await agent.call("closeDiff", { filePath, suppressNotification: true });
    expect(JSON.stringify(result)).toContain("proposed!");
  });

  test("hears of edits that no file holds, lists and reads them, and discards them", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    const filePath = path.join(client.root, "a");
    await openDiff(agent, filePath, "proposed");
    await agent.call("rejectDiff", { filePath });
    const { row, ...news } = await client.hears("companion/news");
    const reason = "Gemini CLI rejected its change itself.";
    expect(news).toEqual({ severity: "warning", text: `Your text is not in a: ${reason}`, list: "edits" });
    expect(row).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      agent: "Gemini CLI",
      filePath,
      label: "a",
      at: expect.any(Number),
      text: reason,
    });
    const { id } = Object(row);
    const list = async () =>
      (await client.connection.sendRequest<{ rows: object[] }>("companion/list", { list: "edits" })).rows;
    const act = (action: string) =>
      client.connection.sendRequest("companion/act", { list: "edits", id, action, sure: true });
    expect(await list()).toEqual([row]);
    expect(await act("show")).toMatchObject({
      message: reason,
      compare: {
        label: "a",
        patch: expect.stringContaining("+++ a\tYour text\n@@ -0,0 +1,1 @@\n+proposed!\n"),
      },
    });
    const put = { filePath, content: "proposed!", what: "your text", onlySaved: false };
    expect(await act("restore")).toEqual({ put });
    expect(await act("discard")).toEqual({ message: "Discarded: a.", removed: true });
    await expect(act("show")).rejects.toThrow("There are no such recovered edits any more.");
    expect(await list()).toEqual([]);
  });

  test("that ends without a word leaves what its user typed to the next one", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    const filePath = path.join(client.root, "a");
    await openDiff(agent, filePath, "proposed");
    const [id] = await client.waiting();
    await client.connection.sendRequest("companion/draft", { id, content: "mine" });
    client.hangUp();
    await client.frontend.ended;
    await client.frontend.close();
    const edits = new EditsStore({ folder: openEditsFolder(editsFolder(client.host)) });
    const [entry] = edits.list();
    expect(edits.read(entry?.id ?? "")).toMatchObject({ filePath, proposed: "proposed", text: "mine" });
    // The next one asks at once, while its companion still starts.
    const next = createLspClient({ host: client.host });
    const params = {
      processId: process.pid,
      rootUri: null,
      capabilities: announcement,
      workspaceFolders: [{ uri: pathToFileURL(client.root).href, name: "root" }],
    };
    await next.connection.sendRequest("initialize", params);
    await next.connection.sendNotification("initialized", {});
    expect(await next.connection.sendRequest("companion/list", { list: "edits" })).toMatchObject({
      rows: [{ filePath }],
    });
    expect(await next.hears("companion/news")).toMatchObject({ list: "edits", row: { filePath } });
    // Elsewhere nobody is reminded of them.
    const elsewhere = createLspClient({ host: client.host });
    await elsewhere.start({ capabilities: announcement });
    await elsewhere.hears("companion/status");
    await elsewhere.connection.sendRequest("companion/list", { list: "edits" });
    expect(elsewhere.reported.map(({ method }) => method)).not.toContain("companion/news");
  });

  test("hears who is connected and what waits", async () => {
    const client = await startPlugin();
    const agent = await client.agent();
    await client.hears("companion/status", ({ sessions }) => JSON.stringify(sessions).includes("Gemini CLI"));
    const filePath = path.join(client.root, "a");
    await openDiff(agent, filePath, "proposed");
    const status = await client.hears("companion/status", ({ diffs }) => JSON.stringify(diffs) !== "[]");
    expect(status).toMatchObject({
      port: agent.port,
      env: {
        GEMINI_CLI_IDE_SERVER_PORT: String(agent.port),
        // Terminals get the variables of every family.
        CLAUDE_CODE_SSE_PORT: expect.stringMatching(/^\d+$/),
      },
      diffs: [{ id: expect.any(String), agent: "Gemini CLI", filePath }],
      line: "Gemini CLI (1)",
      sentence: `Port ${agent.port}. Connected: Gemini CLI. Waiting for you: 1. Review: after.`,
    });
    // As a command in a terminal does.
    new ReviewModes(client.host).set(client.root, "off", ["codex"]);
    await client.hears("companion/status", ({ sentence }) => /Review: after, off\.$/.test(String(sentence)));
  });

  test("tells of other folders, and the agents find it there", async () => {
    const client = await startPlugin();
    const added = [
      { uri: "file:///elsewhere/", name: "e" },
      { uri: "/by path #%20", name: "p" },
    ];
    const event = { added, removed: [] };
    await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
    await client.hears("companion/status", ({ env }) => JSON.stringify(env).includes("/elsewhere"));
    const { workspacePath } = await discoveryContents(client.host, "gemini");
    expect(workspacePath).toBe(`${client.root}:/elsewhere:/by path #%20`);
  });

  test("keeps a folder that it names among those before a change and those after it", async () => {
    const client = await startPlugin();
    const here = { uri: pathToFileURL(client.root).href, name: "here" };
    const event = { added: [here, { uri: "file:///elsewhere", name: "e" }], removed: [here] };
    await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
    await client.hears("companion/status", ({ env }) => JSON.stringify(env).includes("/elsewhere"));
    const { workspacePath } = await discoveryContents(client.host, "gemini");
    expect(workspacePath).toBe(`${client.root}:/elsewhere`);
  });

  test("that cannot show a diff is helped out by the review page", async () => {
    const client = createLspClient();
    client.connection.onRequest("companion/openDiff", () => {
      throw new Error("no room");
    });
    await client.start({ capabilities: announcement });
    const agent = await client.agent();
    const filePath = path.join(client.root, "a");
    const { result } = await openDiff(agent, filePath, "proposed");
    expect(result).toEqual({ content: [] });
    const text = `Gemini CLI proposes a change of ${filePath}. It waits on the review page.`;
    expect(await client.hears("companion/news")).toEqual({ severity: "warning", text, list: "page" });
    expect(client.links).toHaveLength(1);
    const closed = await agent.call("closeDiff", { filePath });
    expect(JSON.stringify(closed.result)).toContain("proposed");
  });

  test("is not harmed by a message that does not fit", async () => {
    const client = await startPlugin();
    await client.connection.sendNotification("companion/context", { files: "none" });
    const isDropped = ({ message }: Record<string, unknown>) => /dropped/.test(String(message));
    expect(await client.hears("window/logMessage", isDropped)).toMatchObject({
      message: expect.stringMatching(/^The plugin has sent a context that was dropped: files: .*array/),
    });
    const answer = client.connection.sendRequest("companion/diffAccepted", { id: 7 });
    await expect(answer).rejects.toThrow(/id/);
    await expect(client.connection.sendRequest("companion/unheardOf")).rejects.toThrow(/-32601|Unhandled/);
  });
});
