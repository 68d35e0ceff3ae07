import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testkit/src/eventually.ts";
import { startServing } from "../companion.ts";
import type { Outcome } from "../core/changes/review.ts";
import { EditsStore } from "../core/edits/edits-store.ts";
import { openEditsFolder } from "../core/edits/recovered-edits.ts";
import { createLspClient } from "../frontends/lsp/testing/lsp-client.ts";
import { startPlainClient } from "../frontends/lsp/testing/plain-client.ts";
import { admitVisitor, startTestFrontend } from "../frontends/review/testing/visitor.ts";
import { editsFolder, type Host } from "../system/host.ts";
import { ensureOwnedFolder, removeFile, writePrivateFile } from "../system/private-file.ts";
import { privateHost, startCore } from "../testing/core.ts";
import { type RpcRequest, servePeer } from "../transport/json-rpc.ts";
import { listenForWebSockets } from "../transport/websocket.ts";
import { families } from "./families.ts";
import type { AgentFamily } from "./family.ts";

const toy = {
  name: "toy",
  displayName: "Toy",
  command: "toy",
  installCommand: "make toy",
  connectCommand: "/toy",
};

const notice = { code: "takes-no-edits", values: ["Toy"] } as const;

/** Nobody's agent: a WebSocket, a lock file, a call that waits for the user, and tools that no other agent has. */
const toyFamily: AgentFamily = {
  agents: [toy],
  async serve(_, { editor, context, reviews, sessions }, { home }) {
    const token = randomUUID();
    const listener = await listenForWebSockets({
      maxChannels: 4,
      refuse: ({ headers }) =>
        headers["x-toy"] === token ? undefined : { status: 401, reason: "The toy's token is needed." },
      onTrouble: () => {},
      loadHandler: async () => (channel) => {
        const client = { name: "toy", version: "1" };
        const session = sessions.open(toy.displayName, client, {
          mention: (mention) => peer.notify("mentioned", mention),
        });
        const { id, agent } = session.info;
        const call = ({ params }: RpcRequest) => {
          const [tab, filePath, newContent] = [params.tab, params.path, params.text].map(String);
          return new Promise((deliver: (outcome: Outcome) => void, reject) => {
            const owner = { id, agent, deliver, isOver: session.isOver };
            reviews
              .propose(owner, {
                ...{ key: tab ?? "", filePath: filePath ?? "", newContent: newContent ?? "" },
                ...(params.takesNoEdits === true && { readOnlyReason: notice }),
              })
              .catch(reject);
          });
        };
        const peer = servePeer(channel, { call });
        const stop = context.subscribe(({ files: [first] }) =>
          peer.notify("eyes_on", { ...first?.selection }),
        );
        channel.onClose(() => {
          stop();
          void session.end("it went away");
        });
      },
    });
    const lock = join(home, ".toy", `${editor.pid}.lock`);
    ensureOwnedFolder(join(home, ".toy"));
    writePrivateFile(lock, JSON.stringify({ port: listener.port, token }));
    const discovery = [{ files: [lock], rewrite() {}, remove: () => void removeFile(lock) }];
    return { env: { TOY_LOCK: lock }, discovery, close: listener.close };
  },
};

const both = [...families, toyFamily];

/** The toy's CLI: it finds the companion by the lock file, and its calls wait. */
async function connectToy({ home }: Host) {
  const folder = join(home, ".toy");
  const lock = await eventually(() => join(folder, readdirSync(folder)[0] ?? "none"));
  const { port, token } = JSON.parse(readFileSync(lock, "utf8"));
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { "x-toy": token } });
  onTestFinished(() => socket.terminate());
  const heard: Record<string, unknown>[] = [];
  socket.on("message", (data) => heard.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {
    socket,
    heard,
    /** Resolves once it has received this selection. */
    sees: (selection: object) =>
      eventually(() =>
        expect(heard).toContainEqual({ jsonrpc: "2.0", method: "eyes_on", params: selection }),
      ),
    /** Answered once the user has decided. */
    async review(path: string, text: string, takesNoEdits = false): Promise<unknown> {
      const id = `call ${heard.length}`;
      const params = { tab: `tab of ${path}`, path, text, takesNoEdits };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "review_file", params }));
      return eventually(() => {
        const answer = heard.find((message) => message.id === id);
        if (!answer) throw new Error("the call waits");
        return answer.result ?? answer.error;
      });
    },
  };
}

describe("an agent with another transport, lock file and tools, whose call waits for the user", () => {
  test("reviews in an editor in this process, sees selections, and hears of the end", async () => {
    const { editor, companion, host, root, events, client } = await startCore({ families: both });
    const toy = await connectToy(host);
    const file = join(root, "a.txt");
    writeFileSync(file, "old");
    const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    editor.look({ files: [{ path: file, focusedAt: 1, selectedText: "old", selection }], activePath: file });
    await toy.sees(selection);
    const answer = toy.review(file, "new");
    await eventually(() => editor.find(file));
    editor.edit(file, "new, edited");
    expect(editor.accept(file)).toEqual({ taken: true });
    expect(await answer).toEqual({ kind: "accepted", content: "new, edited" });
    expect(await toy.review("not/absolute", "x")).toMatchObject({ code: -32603 });
    // The agents of another family are served as well, and neither hears of the other.
    const gemini = await client("gemini").initialize();
    await gemini.call("openDiff", { filePath: file, newContent: "of another" });
    expect(editor.find(file).proposal.agent).toBe("Gemini CLI");
    toy.socket.close();
    await eventually(() =>
      expect(events).toContainEqual(expect.objectContaining({ kind: "session-closed" })),
    );
    expect(editor.diffs.size).toBe(1);
    await companion.close();
    expect(readdirSync(join(host.home, ".toy"))).toEqual([]);
  });

  test("reviews in an editor with a plugin", async () => {
    const client = createLspClient({ families: both });
    const shown: { id: string; agent: string }[] = [];
    client.connection.onRequest("companion/openDiff", (params) => {
      shown.push(params);
      return null;
    });
    await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
    const mention = { path: join(client.root, "a.txt") };
    const send = () =>
      client.connection.sendRequest("companion/send", { mentions: [mention], folder: client.root });
    expect(await send()).toMatchObject({ copy: "@a.txt ", types: true });
    const toy = await connectToy(client.host);
    await eventually(async () =>
      expect(await send()).toEqual({ message: "The prompt of Toy has the reference" }),
    );
    await eventually(() =>
      expect(toy.heard).toContainEqual({ jsonrpc: "2.0", method: "mentioned", params: mention }),
    );
    const file = join(client.root, "a.txt");
    writeFileSync(file, "old");
    const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    await client.connection.sendNotification("companion/context", {
      files: [{ path: file, focusedAt: 1, selectedText: "old", selection }],
      activePath: file,
    });
    await toy.sees(selection);
    const answer = toy.review(file, "new");
    await eventually(() => expect(shown).toMatchObject([{ agent: "Toy" }]));
    await client.connection.sendRequest("companion/diffRejected", { id: shown[0]?.id });
    expect(await answer).toEqual({ kind: "rejected" });
  });

  test("reviews in an editor that speaks LSP alone", async () => {
    const client = await startPlainClient({ families: both });
    const toy = await connectToy(client.host);
    const file = join(client.root, "a.txt");
    writeFileSync(file, "😀one\ntwo\n");
    await client.open(file);
    // A line ends before its line break, wherever the editor says that it does.
    await client.actions(file, { start: { line: 0, character: 2 }, end: { line: 1, character: 99 } });
    await toy.sees({ start: { line: 1, character: 3 }, end: { line: 2, character: 4 } });
    const wholeLine = { start: { line: 0, character: 2 }, end: { line: 1, character: 0 } };
    const [share] = await client.actions(file, wholeLine);
    await client.run(share?.command);
    const message = "The prompt of Toy has a reference to a.txt, line 1.";
    await client.hears("window/showMessage", (params) => params.message === message);
    expect(toy.heard).toContainEqual({
      jsonrpc: "2.0",
      method: "mentioned",
      params: { path: file, lines: { first: 1, last: 1 } },
    });
    const answer = toy.review(file, "new\n");
    const proposal = await eventually(() => {
      const [path] = client.shown;
      if (path === undefined) throw new Error("nothing is shown");
      return path;
    });
    const [accept] = await client.lenses(proposal);
    await client.run(accept?.command);
    expect(await answer).toEqual({ kind: "accepted", content: "new\n" });
  });

  test("reviews in the page", async () => {
    const { frontend, root } = await startTestFrontend();
    const host = privateHost();
    const { editor, onEvent } = frontend;
    const companion = await startServing({ editor, roots: [root], host, onEvent, families: both });
    onTestFinished(() => companion.close());
    const page = await (await admitVisitor(frontend)).openPage();
    const toy = await connectToy(host);
    const file = join(root, "a.txt");
    writeFileSync(file, "old");
    const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    const files = [{ path: file, focusedAt: 1, selectedText: "old", selection }];
    page.say({ type: "context", files, activePath: file, focused: true });
    await toy.sees(selection);
    const answer = toy.review(file, "new");
    const { proposals } = await page.hear("proposals", (message) => message.proposals.length === 1);
    expect(proposals).toMatchObject([{ agent: "Toy" }]);
    page.say({ type: "diffRejected", id: proposals[0]?.id ?? "" });
    expect(await answer).toEqual({ kind: "rejected" });
  });
});

describe("an agent that cannot take edits", () => {
  const readOnlyReason = "Toy takes no edits: it writes its own text.";
  const wroteItsOwn = "own-version";
  const accepted = { kind: "accepted", content: "new\n" };

  /** A file that is there, with a toy that proposes another text for it. */
  async function propose(host: Host, root: string) {
    const toy = await connectToy(host);
    const file = join(root, "a.txt");
    writeFileSync(file, "old\n");
    return { file, toy, answer: toy.review(file, "new\n", true) };
  }

  test("gets its own text back from an editor in this process, and the user's is offered after that", async () => {
    const { editor, host, root, events } = await startCore({ families: both });
    const { file, answer } = await propose(host, root);
    const { proposal, decide, saveDraft } = await eventually(() => editor.find(file));
    expect(proposal.readOnlyReason).toEqual(notice);
    saveDraft("mine\n");
    expect(decide({ kind: "accepted" })).toMatchObject({ taken: false });
    decide({ kind: "accepted", ownVersion: true });
    expect(await answer).toEqual(accepted);
    writeFileSync(file, "new\n");
    const edits = expect.objectContaining({ text: "mine\n", reason: wroteItsOwn });
    await eventually(() =>
      expect(events).toContainEqual(expect.objectContaining({ kind: "edits-recovered", edits })),
    );
  });

  test("gets its own text back from an editor with a plugin, and the user's is offered after that", async () => {
    const client = createLspClient({ families: both });
    const shown: { id: string; readOnlyReason?: string }[] = [];
    client.connection.onRequest("companion/openDiff", (params) => {
      shown.push(params);
      return null;
    });
    await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
    const { file, answer } = await propose(client.host, client.root);
    await eventually(() => expect(shown).toMatchObject([{ readOnlyReason }]));
    const params = { id: shown[0]?.id, content: "mine\n" };
    const accept = (more: object) =>
      client.connection.sendRequest("companion/diffAccepted", { ...params, ...more });
    expect(await accept({})).toMatchObject({ taken: false });
    expect(await accept({ ownVersion: true })).toEqual({ taken: true });
    expect(await answer).toEqual(accepted);
    writeFileSync(file, "new\n");
    await client.hears("companion/news", ({ text }) => String(text).includes(": Toy wrote its own text."));
  });

  test("loses nothing that is typed in an editor that speaks LSP alone, and hears of no edits", async () => {
    const client = await startPlainClient({ families: both });
    const { file, answer } = await propose(client.host, client.root);
    const path = await eventually(() => client.shown[0] ?? Promise.reject(new Error("nothing is shown")));
    await client.hints(path, (hints) => hints[0] === readOnlyReason);
    const [accept, reject, ...others] = await client.lenses(path);
    expect(others).toEqual([]);
    const start = { line: 0, character: 0 };
    await client.type(path, { range: { start, end: start }, newText: "my " });
    await client.run(accept?.command);
    await client.hears("window/showMessage", (params) =>
      String(params.message).startsWith(`${readOnlyReason} Undo your edits and accept, or reject the change`),
    );
    await client.run(reject?.command);
    expect(await answer).toEqual({ kind: "rejected" });
    await client.hears("window/showMessage", (params) =>
      /^ide-companion edits restore \w+ gets it back: Your text is not in a\.txt: You rejected/.test(
        String(params.message),
      ),
    );
    const edits = new EditsStore({ folder: openEditsFolder(editsFolder(client.host)) });
    const texts = edits.list().map(({ id, filePath }) => [filePath, edits.read(id)?.text]);
    expect(texts).toEqual([[file, "my new\n"]]);
  });

  test("gets its own text back from the page, and the user's is offered after that", async () => {
    const { frontend, root } = await startTestFrontend();
    const host = privateHost();
    const { editor, onEvent } = frontend;
    const companion = await startServing({ editor, roots: [root], host, onEvent, families: both });
    onTestFinished(() => companion.close());
    frontend.useCompanion(companion);
    const page = await (await admitVisitor(frontend)).openPage();
    const { file, answer } = await propose(host, root);
    const { proposals } = await page.hear("proposals", (message) => message.proposals.length === 1);
    expect(proposals).toMatchObject([{ agent: "Toy", readOnlyReason: notice }]);
    const id = proposals[0]?.id ?? "";
    page.say({ type: "diffAccepted", id, revision: 0, content: "mine\n" });
    expect(await answer).toEqual(accepted);
    writeFileSync(file, "new\n");
    await page.list("edits", (edits) => edits.some(({ reason }) => reason === wroteItsOwn));
  });
});
