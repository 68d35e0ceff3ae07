import path from "node:path";
import {
  agents,
  type Editor,
  type EditorFile,
  type Host,
  type ShownChange,
  startCompanion,
  toSentence,
} from "../../../companion/dist/index.js";
import {
  type Example,
  ExampleEditor,
  type OpenFile,
  positionOf,
  type ShownDiff,
  textOf,
} from "./example-editor.ts";

/** How esbuild makes a program that holds it. Some of what it needs is CommonJS, which calls `require`. */
export const bundling = {
  bundle: true,
  platform: "node",
  format: "esm",
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
} as const;

/** Our companion for a simulated editor: a good one. */
export interface OurCompanion extends Example {
  readonly port: number;
  /** What terminals of the editor have. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly discoveryFiles: readonly string[];
}

export interface OurOptions {
  readonly folders: readonly string[];
  /** The agents that it serves, as `ide-companion run` names them; all of them when absent. */
  readonly served?: readonly string[];
  /** Where it finds the folders of the agents, and its own. */
  readonly host?: Host;
}

/** A private machine for a companion. @param env by which it finds the folders of its agent */
export const hostIn = (folder: string, env: Host["env"] = {}): Host => ({
  // Short: a path of a socket below it has 107 bytes at most.
  tmp: path.join(folder, "t"),
  home: path.join(folder, "home"),
  env: { XDG_STATE_HOME: path.join(folder, "state"), ...env },
  delimiter: path.delimiter,
});

export async function startOurs({ folders, served, host }: OurOptions): Promise<OurCompanion> {
  const screen = new ExampleEditor(folders, textOf);
  const companion = await startCompanion({
    editor: toEditor(screen),
    roots: screen.folders,
    ...(served && { agents: agents.filter(({ name }) => served.includes(name)) }),
    ...(host && { host }),
  });
  screen.environment = companion.env;
  screen.on("mention", (file, first, last) => {
    void companion.send({ mentions: [{ path: file, lines: { first, last } }] });
  });
  screen.on("folders", () => void companion.setRoots(screen.folders));
  return {
    editor: screen,
    port: companion.port,
    env: companion.env,
    discoveryFiles: companion.discoveryFiles,
    endsBy: ["SIGTERM", "SIGHUP"],
    close: () => companion.close(),
  };
}

function toEditor(screen: ExampleEditor): Editor {
  const shown = new Map<string, ShownDiff>();
  const find = ({ id }: ShownChange): ShownDiff => {
    const diff = shown.get(id);
    if (!diff) throw new Error(`no diff ${id} is shown`);
    return diff;
  };
  const flush = async (change: ShownChange) => change.write(find(change).text);
  return {
    info: { name: "core", displayName: "Core" },
    pid: process.pid,
    onContext(listener) {
      const tell = () =>
        listener({
          files: [...screen.files.values()].map(toFile),
          ...(screen.active && { activePath: screen.active.path }),
        });
      screen.on("change", tell);
      return () => screen.off("change", tell);
    },
    async show(change) {
      const { id, proposal, text } = change;
      const diff: ShownDiff = {
        filePath: proposal.filePath,
        text,
        decide(kind, content) {
          if (kind === "accepted") change.write(content);
          const result = change.decide({ kind: kind === "accepted" ? kind : "rejected" });
          if (!result.taken) throw new Error(toSentence(result.reason));
          screen.diffs.delete(diff);
        },
      };
      shown.set(id, diff);
      screen.diffs.add(diff);
    },
    async hide(change) {
      await flush(change);
      screen.diffs.delete(find(change));
    },
    flush,
    async update(change, { text }) {
      find(change).text = text;
      await flush(change);
    },
  };
}

function toFile({ path: file, text, focusedAt, anchor, head }: OpenFile): EditorFile {
  const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
  const selectedText = text.slice(from, to);
  const selection = { start: positionOf(text, from), end: positionOf(text, to) };
  const cursor = positionOf(text, head);
  return { path: file, focusedAt, cursor, ...(selectedText !== "" && { selectedText, selection }) };
}
