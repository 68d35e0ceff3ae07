// The library as the whole of a process, with the conformance kit's editor without a screen: nothing of a frontend.
import { startCompanion } from "../../packages/companion/dist/index.js";
import {
  ExampleEditor,
  onceAskedToEnd,
  positionOf,
  serveEditor,
  textOf,
} from "../../packages/conformance/dist/example/editor.js";

const screen = new ExampleEditor([process.cwd()], textOf);
const shown = new Map();

const editor = {
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
  async openDiff({ id, filePath, newContent }, decide) {
    const diff = {
      filePath,
      text: newContent,
      decide(decision, content) {
        const result = decide(decision === "accepted" ? { kind: "accepted", content } : { kind: "rejected" });
        if (!result.taken) throw new Error(result.reason);
        screen.diffs.delete(diff);
      },
    };
    shown.set(id, diff);
    screen.diffs.add(diff);
  },
  async closeDiff(id) {
    const { text } = shown.get(id);
    screen.diffs.delete(shown.get(id));
    return text;
  },
  readDiff: async (id) => shown.get(id).text,
};

function toFile({ path, text, focusedAt, anchor, head }) {
  const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
  const selectedText = text.slice(from, to);
  const selection = { start: positionOf(text, from), end: positionOf(text, to) };
  const cursor = positionOf(text, head);
  return { path, focusedAt, cursor, ...(selectedText !== "" && { selectedText, selection }) };
}

const companion = await startCompanion({ editor, roots: screen.folders });
screen.environment = companion.env;
screen.on("mention", (path, first, last) => {
  const range = { start: { line: first, character: 1 }, end: { line: last + 1, character: 1 } };
  void companion.send({ mentions: [{ path, range }] });
});
screen.on("folders", () => void companion.setRoots(screen.folders));
const remote = serveEditor(screen);
onceAskedToEnd(["SIGTERM", "SIGHUP"], () => void companion.close().finally(() => remote.close()));
