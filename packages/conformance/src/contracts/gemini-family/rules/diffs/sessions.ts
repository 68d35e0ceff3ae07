import { appendFileSync, writeFileSync } from "node:fs";
import { chmod, readFile, stat } from "node:fs/promises";
import { demand, isRefusal, NotRun, quote } from "../../../check.ts";
import { inputOf, nameOf, saying } from "../../../fault.ts";
import type { HttpCli } from "../../../http-cli.ts";
import { code, neovimPage, observed, recommended } from "../../../requirement.ts";
import { accepted, before, outcome, rejected, unrefused } from "../../faults.ts";
import { closeDiff, openDiff } from "../../wire.ts";
import type { FamilyGroup } from "../means.ts";
import { closedText, outcomesOf, propose, untilDecided } from "./closing.ts";

/** @throws NotRun when the tool is not offered */
async function needTool(session: HttpCli, name: string): Promise<void> {
  const tools = await session.list();
  if (!tools.some((tool) => tool.name === name)) throw new NotRun(`${name} is not offered`);
}

export const diffSessionsRules: FamilyGroup = {
  P16: {
    SHOULD: "Only the session that opened a diff can close it.",
    sources: recommended("An agent must not close what another one waits for."),
    check: "foreign-close",
    lane: "proposals",
    async run({ connect, agents, write }) {
      const { session: owner, file } = await propose({ connect, write }, "foreign.txt");
      for (const agent of agents) {
        const other = await connect({ agent });
        const { message } = await closeDiff(other, file);
        demand(isRefusal(message), `another session, ${other}, has closed the diff`);
      }
      const text = closedText(await closeDiff(owner, file));
      demand(text === "proposed\n", `after another session had tried, its own session got ${quote(text)}`);
    },
    fault: {
      down: unrefused((asked) => nameOf(asked) === "closeDiff"),
      says: /another session, Gemini CLI, has closed the diff/,
    },
  },
  P17: {
    SHOULD: "Two sessions may each have a diff of the same file.",
    sources: observed("Each CLI opens one at a time, and two CLIs may work on the same file."),
    check: "same-file",
    lane: "proposals",
    async run({ connect, agents, write }) {
      const [first, second] = [await connect(), await connect({ agent: agents[1] })];
      const file = await write("both.txt", "before\n");
      await openDiff(first, file, "of the first\n");
      await openDiff(second, file, "of the second\n");
      for (const [session, expected] of [
        [first, "of the first\n"],
        [second, "of the second\n"],
      ] as const) {
        const text = closedText(await closeDiff(session, file));
        demand(text === expected, `${quote(expected)} was proposed, closeDiff answers ${quote(text)}`);
      }
    },
    fault: {
      // Diffs are identified by their path alone.
      up: before("openDiff", ({ filePath = "" }, { all, memory }) => {
        const params = { name: "closeDiff", arguments: { filePath } };
        for (const other of all)
          if (other.memory.has(filePath)) other.ask({ jsonrpc: "2.0", id: 0, method: "tools/call", params });
        memory.set(filePath, true);
      }),
      says: /closeDiff/,
    },
  },
  P18: {
    SHOULD: "A second proposal of a session for the same file replaces the first.",
    sources: recommended("The first one is no longer what the agent wants."),
    check: "second-proposal",
    lane: "proposals",
    async run({ connect, write, limits }) {
      const { session, file } = await propose({ connect, write }, "twice.txt", { text: "first thought\n" });
      await openDiff(session, file, "second thought\n");
      await session.stream.listen(limits.quiet);
      const outcomes = outcomesOf(session, file);
      demand(
        outcomes.length === 0,
        `the end of the first one was reported as ${outcomes[0]?.method}, which the CLI takes for that of the second`,
      );
      const text = closedText(await closeDiff(session, file));
      demand(text === "second thought\n", `closeDiff answers ${quote(text)}`);
    },
    fault: {
      up: before("openDiff", ({ filePath = "" }, { memory, tell }) => {
        if (memory.has(filePath)) tell(outcome(rejected, { filePath }));
        memory.set(filePath, true);
      }),
      says: /the end of the first one was reported as ide\/diffRejected/,
    },
  },
  P28: {
    MAY: "`acceptDiff` accepts and writes the file, byte for byte, with its mode unchanged; `rejectDiff` rejects. Both only for diffs of the calling session, and the notification follows.",
    sources: neovimPage("acceptDiff, rejectDiff", "Accept and apply to the file, or discard, then notify."),
    check: "accept-diff",
    lane: "proposals",
    async run({ connect, write }) {
      const session = await connect();
      await needTool(session, "acceptDiff");
      const file = await write("written.txt", "before\n");
      await chmod(file, 0o640);
      await openDiff(session, file, "first\r\nlast");
      const { result, message } = await session.call("acceptDiff", { filePath: file });
      demand(result !== undefined && result.isError !== true, `acceptDiff was answered ${quote(message)}`);
      const { method } = await untilDecided(session, file);
      demand(method === accepted, `${method} came after acceptDiff`);
      const text = await readFile(file, "utf8");
      demand(text === "first\r\nlast", `"first\\r\\nlast" was accepted, the file holds ${quote(text)}`);
      const { mode } = await stat(file);
      demand(
        process.platform === "win32" || (mode & 0o777) === 0o640,
        `the file's mode was 0640 and is 0${(mode & 0o777).toString(8)}`,
      );
    },
    fault: {
      down: saying("acceptDiff", (asked) => {
        appendFileSync(inputOf(asked).filePath ?? "", "\n");
        return ["accepted"];
      }),
      says: /the file holds "first\\r\\nlast\\n"/,
    },
    more: [
      {
        check: "reject-diff",
        title: "rejectDiff leaves the file alone and reports the outcome",
        lane: "proposals",
        async run({ connect, write }) {
          const { session, file } = await propose({ connect, write }, "left.txt");
          await needTool(session, "rejectDiff");
          await session.call("rejectDiff", { filePath: file });
          const { method } = await untilDecided(session, file);
          demand(method === rejected, `${method} came after rejectDiff`);
          const text = await readFile(file, "utf8");
          demand(text === "before\n", `the file holds ${quote(text)}`);
        },
        fault: {
          up: before("rejectDiff", ({ filePath = "" }) => writeFileSync(filePath, "proposed\n")),
          says: /the file holds "proposed\\n"/,
        },
      },
      {
        check: "foreign-accept",
        title: "acceptDiff and rejectDiff reach the caller's own diffs only",
        lane: "proposals",
        async run({ connect, write }) {
          const { session: owner, file } = await propose({ connect, write }, "not-yours.txt");
          await needTool(owner, "acceptDiff");
          const other = await connect();
          for (const name of ["acceptDiff", "rejectDiff"]) {
            const { message } = await other.call(name, { filePath: file });
            demand(isRefusal(message), `another session has decided the diff by ${name}`);
          }
          const text = await readFile(file, "utf8");
          demand(text === "before\n", `the file holds ${quote(text)}`);
        },
        fault: {
          down: unrefused((asked) => nameOf(asked) === "acceptDiff"),
          says: /another session has decided the diff by acceptDiff/,
        },
      },
    ],
  },
  P29: {
    SHOULD: "A diff waits for a decision for as long as the user needs.",
    sources: code("The CLI gives a request 10 minutes, and a decision unlimited time."),
    unchecked: "It would take too long for a report.",
  },
  P30: {
    SHOULD: "Edits that no CLI has received remain available to the user.",
    sources: observed("Qwen Code ignores every answer to `closeDiff`."),
    unchecked: "Only a person can see where an editor stores them.",
  },
  P31: {
    SHOULD:
      "A diff takes neither the focus nor keystrokes from the user, and does not change unsaved edits of the file.",
    sources: recommended("Users ask for nothing more often."),
    unchecked: "Only a person can see where the focus is.",
  },
};
