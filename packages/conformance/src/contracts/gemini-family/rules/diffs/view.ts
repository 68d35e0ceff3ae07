import { existsSync, mkdirSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { until } from "../../../../until.ts";
import { byUser, demand, demandNone, quote } from "../../../check.ts";
import { inputOf, pretending, refusing } from "../../../fault.ts";
import { demandGone } from "../../../question.ts";
import { observed, recommended, specification } from "../../../requirement.ts";
import { before } from "../../faults.ts";
import { closeDiff, openDiff } from "../../wire.ts";
import type { Bench, FamilyGroup } from "../means.ts";
import { closedText, propose } from "./closing.ts";
import { isRefused } from "./tools.ts";

/** Opens a diff and waits until the editor shows it. */
async function show(bench: Bench, name: string) {
  const { session, file } = await propose(bench, name);
  // Not too often: each call starts a program.
  const isShown = await until(() => bench.editor.shows(file), bench.limits.event, 100);
  demand(isShown === true, `openDiff of ${file} was answered, but the editor shows no diff of it`);
  return { session, file };
}

export const viewRules: FamilyGroup = {
  P24: {
    SHOULD: "The diffs of a CLI that was killed are closed.",
    sources: observed("A killed CLI says nothing; its stream closes, and is not opened again."),
    check: "killed-cli",
    lane: "proposals",
    needs: ["editor-command"],
    async run(bench) {
      const { session, file } = await show(bench, "orphan.txt");
      session.stream.cut();
      await demandGone(bench, file, "after its CLI was killed", bench.limits.reaping);
    },
    fault: { keepsOpen: true, says: /is still shown/ },
  },
  P25: {
    SHOULD: "`closeDiff` closes the view.",
    sources: specification("III", "The tool instructs the IDE to close the open view."),
    check: "view-closes",
    ...byUser,
    async run(bench) {
      const { session, file } = await show(bench, "view.txt");
      await closeDiff(session, file);
      await demandGone(bench, file, "after closeDiff");
    },
    fault: { up: pretending("closeDiff", "proposed\n"), says: /is still shown after closeDiff/ },
  },
  P26: {
    SHOULD:
      "A file that does not exist yet, in a folder that does not exist either, can be proposed; neither is created.",
    sources: observed("`write_file` creates new files."),
    check: "new-file",
    lane: "proposals",
    async run({ connect, path: pathOf }) {
      const session = await connect();
      const file = pathOf("new/folder/new.txt");
      await openDiff(session, file, "new\n");
      await closeDiff(session, file);
      demand(!existsSync(pathOf("new")), `${pathOf("new")} was created, though the user has not accepted`);
    },
    fault: {
      up: before("openDiff", ({ filePath = "" }) => {
        mkdirSync(path.dirname(filePath), { recursive: true });
      }),
      says: /was created, though the user has not accepted/,
    },
  },
  P27: {
    SHOULD: "A path that cannot be shown as a diff, such as a folder, does no harm.",
    sources: recommended("Models get paths wrong."),
    check: "odd-targets",
    lane: "proposals",
    async run({ connect, path: pathOf, write }) {
      const session = await connect();
      await mkdir(pathOf("folder"), { recursive: true });
      const file = await write("file.txt", "a file\n");
      const binary = await write("binary.bin", Buffer.from([0, 1, 2, 255, 254, 10, 0]));
      const odd = [
        pathOf("folder"),
        path.join(file, "below-a-file.txt"),
        pathOf("x".repeat(300)),
        binary,
        "relative.txt",
        "",
      ];
      for (const target of odd) {
        const answer = await session.call("openDiff", { filePath: target, newContent: "text\n" });
        if (!isRefused(answer)) await closeDiff(session, target);
      }
      const good = pathOf("good.txt");
      await openDiff(session, good, "good\n");
      await closeDiff(session, good);
    },
    fault: {
      status: (status, { asked }) => (inputOf(asked).filePath === "relative.txt" ? 500 : status),
      says: /was answered 500/,
    },
  },
  P32: {
    SHOULD:
      "`isError` means that no diff can be shown at all: that a file is read-only, binary so far, or outside the open folders is no reason.",
    sources: observed("Gemini CLI covers its screen with it."),
    check: "any-file",
    lane: "proposals",
    async run({ connect, path: pathOf, write, target }) {
      const session = await connect();
      const readOnly = await write("read-only.txt", "before\n");
      await chmod(readOnly, 0o444);
      const binary = await write("was-binary.bin", Buffer.from([0, 1, 2, 255, 254, 10, 0]));
      const empty = await write("empty.txt", "");
      const files: readonly (readonly [what: string, file: string])[] = [
        ["a read-only file", readOnly],
        ["a file that was no text", binary],
        ["an empty file", empty],
        ["a file without an extension", pathOf("LICENSE")],
        [
          "a file outside of the open folders",
          path.join(target.systemFolders.tmp, "outside-of-all-folders.txt"),
        ],
      ];
      const problems: string[] = [];
      for (const [what, file] of files) {
        const answer = await session.call("openDiff", { filePath: file, newContent: "proposed\n" });
        if (isRefused(answer)) {
          problems.push(`${what} was refused: ${quote(answer.result ?? answer.error)}`);
          continue;
        }
        const text = closedText(await closeDiff(session, file));
        if (text !== "proposed\n") problems.push(`of ${what}, closeDiff answers ${quote(text)}`);
      }
      demandNone(problems);
    },
    fault: {
      up: refusing(({ filePath = "" }) => filePath.includes("outside"), "outside of the open folders"),
      says: /a file outside of the open folders was refused/,
    },
  },
  P33: {
    MUST: "`openDiff` shows the diff in the editor.",
    sources: specification("III", "The tool instructs the IDE to open a view of the diff."),
    check: "view-opens",
    ...byUser,
    async run(bench) {
      await show(bench, "shown.txt");
    },
    fault: { up: pretending("openDiff"), says: /the editor shows no diff of it/ },
  },
};
