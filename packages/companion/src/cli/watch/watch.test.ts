import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import type { LiveFinding } from "../../agents/agent.ts";
import type { WatchReport } from "../../agents/gemini-family/contract/health.ts";
import { gemini } from "../../agents/gemini-family/gemini/agent.ts";
import { createPaint } from "../../core/paint.ts";
import { type Core, startCore } from "../../testing/core.ts";
import { createLoopbackFetch } from "../../transport/loopback.ts";
import { follow, type WatchEvent } from "./follow.ts";
import { describeNews, toNextReport } from "./watch-command.ts";

const report: WatchReport = {
  kind: "report",
  status: "ok",
  version: "0.1.0",
  pid: 1,
  editor: { name: "neovim", displayName: "Neovim" },
  roots: ["/home/ada/app"],
  sessions: [{ id: "1", agent: "Gemini CLI", connectedAt: 40_000, streaming: true }],
  diffs: [{ filePath: "/home/ada/app/src/a.ts", agent: "Gemini CLI", openedAt: 88_000 }],
  context: {
    workspaceState: {
      openFiles: [
        {
          path: "/home/ada/app/src/a.ts",
          timestamp: 2,
          isActive: true,
          cursor: { line: 12, character: 5 },
          selectedText: "one\n\ttwo\n",
        },
        { path: "/home/ada/app/b.ts", timestamp: 1 },
      ],
    },
  },
};

const finding: LiveFinding = {
  agent: gemini,
  file: "/tmp/x.json",
  result: "live",
  port: 41_000,
  ide: { name: "neovim", displayName: "Neovim" },
  token: "secret",
  roots: ["/home/ada/app"],
  pid: 7,
  writtenAt: 0,
};

describe("the lines", () => {
  const standpoint = { home: "/home/ada", folder: "/home/ada/app", paint: createPaint(false) };
  const tell = (events: readonly WatchEvent[]) => {
    let report: WatchReport | undefined;
    const lines: string[] = [];
    for (const event of events) {
      lines.push(...describeNews(event, report, standpoint).map(({ who, what }) => `${who}: ${what}`));
      report = toNextReport(report, event);
    }
    return lines;
  };

  test("tell what has changed, and no file's text", () => {
    const bare = { ...report, sessions: [], diffs: [], context: {} };
    const ended = { kind: "decision", agent: "Gemini CLI", outcome: "accepted", at: 0 } as const;
    expect(
      tell([
        { kind: "waiting" },
        { kind: "found", finding },
        report,
        report,
        { ...ended, filePath: "/home/ada/app/src/a.ts" },
        bare,
        { kind: "lost" },
      ]),
    ).toEqual([
      "Companion: none serves ~/app: waiting for one",
      "Companion: Neovim on port 41000 serves ~/app",
      "Context: 2 files, src/a.ts:12:5, 9 characters selected",
      "Gemini CLI: connected",
      "Gemini CLI: proposes src/a.ts",
      "Gemini CLI: accepted src/a.ts",
      "Context: 0 files",
      "Gemini CLI: disconnected",
      "Companion: gone",
    ]);
  });
});

describe("following a folder's companion", () => {
  /** Everything that happens to one who follows the companions of a test. */
  function start(cores: readonly Core[], folder: string) {
    const events: WatchEvent[] = [];
    const stop = new AbortController();
    const fetch = createLoopbackFetch();
    const find = async () => cores.map(toFinding);
    const followed = (async () => {
      for await (const event of follow({ folder, env: {}, find, fetch, signal: stop.signal }))
        events.push(event);
    })();
    return {
      kinds: () => events.map(({ kind }) => kind),
      events,
      async end() {
        stop.abort();
        await followed.catch(() => {});
        fetch.close();
      },
    };
  }

  const toFinding = ({ companion, client, root }: Core): LiveFinding => ({
    ...finding,
    port: companion.port,
    token: client().token,
    roots: [root],
  });

  test("goes on with the next one after the end of the first", async () => {
    const first = await startCore();
    const cores = [first];
    const followed = start(cores, first.root);
    await eventually(() => expect(followed.kinds()).toEqual(["found", "report"]));
    cores.pop();
    await first.companion.close();
    await eventually(() => expect(followed.kinds().slice(-2)).toEqual(["lost", "waiting"]));
    const second = await startCore({ roots: [first.root] });
    cores.push({ ...second, root: first.root });
    await eventually(() => expect(followed.kinds().slice(-2)).toEqual(["found", "report"]));
    await followed.end();
  });

  test("leaves a companion alone that does not report what it does, and waits for another one", async () => {
    const core = await startCore();
    const cores = [{ ...core, client: () => Object.assign(core.client(), { token: "another's" }) }];
    const followed = start(cores, core.root);
    await eventually(() => expect(followed.events).toMatchObject([{ kind: "waiting", silent: { pid: 7 } }]));
    await followed.end();
  });
});
