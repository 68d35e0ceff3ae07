import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import type { LiveFinding } from "../../agents/agent.ts";
import { gemini } from "../../agents/gemini-family/agents.ts";
import type { WatchReport } from "../../agents/gemini-family/contract/health.ts";
import { type Core, startCore } from "../../testing/core.ts";
import { createLoopbackFetch } from "../../transport/loopback.ts";
import { createPaint } from "../terminal/paint.ts";
import { follow, toNextState, type WatchEvent, type WatchState } from "./follow.ts";
import { describeNews } from "./watch-command.ts";
import { describeScreen } from "./watch-screen.ts";

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

describe("the screen", () => {
  const show = (state: WatchState, rows = 50) =>
    describeScreen(state, { now: 100_000, home: "/home/ada", folder: "/home/ada/app", rows }).map((line) =>
      line.map(([, text]) => text).join(""),
    );
  const decision = { kind: "decision", agent: "Qwen Code", outcome: "rejected", at: 0 } as const;
  const state: WatchState = { finding, report, decisions: [{ ...decision, filePath: "/home/ada/app/c.ts" }] };

  test("has what waits first, then who is connected, what is looked at, and how others ended", () => {
    expect(show(state)).toEqual([
      "Neovim  port 41000  ~/app",
      "",
      "Waiting for a decision",
      "  src/a.ts  by Gemini CLI, for 12 s",
      "",
      "Agents",
      "  Gemini CLI connected for 1 min",
      "",
      "Looking at",
      "  ▸ src/a.ts:12:5",
      "    b.ts",
      "",
      "Selected, 9 characters",
      "  │ one",
      "  │   two",
      "",
      "Lately",
      expect.stringMatching(/^ {2}\d\d:\d\d:\d\d {2}rejected c\.ts {2}by Qwen Code$/),
      "",
      "q quits",
    ]);
  });

  test.each([8, 12, 14, 16, 17, 19])(
    "has at most the %i lines that there are, and says what is left out",
    (rows) => {
      const screen = show(state, rows);
      expect(screen.length).toBeLessThanOrEqual(rows);
      expect(screen.at(-1)).toBe("q quits");
      expect(screen).toContain("  src/a.ts  by Gemini CLI, for 12 s");
    },
  );

  test("shortens what comes last before it leaves it out", () => {
    const openFiles = Array.from({ length: 9 }, (_, index) => ({ path: `/f${index}`, timestamp: index }));
    const context = { workspaceState: { openFiles } };
    const screen = show({ ...state, report: { ...report, context }, decisions: [] }, 15);
    expect(screen.slice(8)).toEqual([
      "Looking at",
      "    /f0",
      "    /f1",
      "    /f2",
      "  … 6 more",
      "",
      "q quits",
    ]);
  });

  test("says how to get a companion where there is none, and which one does not tell", () => {
    expect(show({ decisions: [] })[0]).toBe("No companion serves ~/app. Waiting for one …");
    expect(show({ decisions: [], silent: finding })[0]).toBe(
      "Neovim serves ~/app, but does not report what it does.",
    );
  });
});

describe("the lines", () => {
  const standpoint = { home: "/home/ada", folder: "/home/ada/app", paint: createPaint(false) };
  const tell = (events: readonly WatchEvent[]) => {
    let state: WatchState = { decisions: [] };
    const lines: string[] = [];
    for (const event of events) {
      lines.push(...describeNews(event, state, standpoint).map(({ who, what }) => `${who}: ${what}`));
      state = toNextState(state, event);
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
