import { chmod, readFile, stat } from "node:fs/promises";
import { isJson } from "../../../../wire/json-rpc.ts";
import { demand, NotRun } from "../../../check.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import type { Check } from "../means.ts";
import { accepted, closedText, outcomesOf, rejected, untilDecided } from "./closing.ts";

export const foreignClose: Check = {
  id: "foreign-close",
  title: "a session cannot close the diff of another",
  requirements: ["P16"],
  lane: "proposals",
  async run({ wire, agents, write }) {
    const owner = await wire.connect();
    const file = await write("foreign.txt", "before\n");
    await owner.openDiff(file, "proposed\n");
    for (const agent of agents) {
      const other = await wire.connect({ agent });
      const { result, error } = await other.closeDiff(file);
      demand(
        error !== undefined || result?.isError === true,
        `another session, ${other}, has closed the diff`,
      );
    }
    const text = closedText(await owner.closeDiff(file));
    demand(
      text === "proposed\n",
      `after another session had tried, its own session got ${JSON.stringify(text)}`,
    );
  },
};

export const sameFile: Check = {
  id: "same-file",
  title: "two sessions each have a diff of the same file",
  requirements: ["P17"],
  lane: "proposals",
  async run({ wire, agents, write }) {
    const [first, second] = [
      await wire.connect(),
      await wire.connect({ ...(agents[1] && { agent: agents[1] }) }),
    ];
    const file = await write("both.txt", "before\n");
    await first.openDiff(file, "of the first\n");
    await second.openDiff(file, "of the second\n");
    for (const [session, expected] of [
      [first, "of the first\n"],
      [second, "of the second\n"],
    ] as const) {
      const text = closedText(await session.closeDiff(file));
      demand(
        text === expected,
        `${JSON.stringify(expected)} was proposed, closeDiff answers ${JSON.stringify(text)}`,
      );
    }
  },
};

export const secondProposal: Check = {
  id: "second-proposal",
  title: "a second proposal for a file replaces the first",
  requirements: ["P18"],
  lane: "proposals",
  async run({ wire, write, limits }) {
    const session = await wire.connect();
    const file = await write("twice.txt", "before\n");
    await session.openDiff(file, "first thought\n");
    await session.openDiff(file, "second thought\n");
    await session.stream.listen(limits.quiet);
    const outcomes = outcomesOf(session, file);
    demand(
      outcomes.length === 0,
      `the end of the first one was reported as ${outcomes[0]?.method}, which the CLI takes for that of the second`,
    );
    const text = closedText(await session.closeDiff(file));
    demand(text === "second thought\n", `closeDiff answers ${JSON.stringify(text)}`);
  },
};

/** @throws NotRun when the tool is not offered */
async function needTool(session: CliSession, name: string): Promise<void> {
  const { result } = await session.request("tools/list", {});
  const tools: unknown[] = Array.isArray(result?.tools) ? result.tools : [];
  if (!tools.filter(isJson).some((tool) => tool.name === name)) throw new NotRun(`${name} is not offered`);
}

export const acceptDiff: Check = {
  id: "accept-diff",
  title: "acceptDiff writes the file byte for byte and reports the outcome",
  requirements: ["P28"],
  lane: "proposals",
  async run({ wire, write, limits }) {
    const session = await wire.connect();
    await needTool(session, "acceptDiff");
    const file = await write("written.txt", "before\n");
    await chmod(file, 0o640);
    await session.openDiff(file, "first\r\nlast");
    const { result, message } = await session.call("acceptDiff", { filePath: file });
    demand(
      result !== undefined && result.isError !== true,
      `acceptDiff was answered ${JSON.stringify(message)}`,
    );
    const { method } = await untilDecided(session, file, limits.event);
    demand(method === accepted, `${method} came after acceptDiff`);
    const text = await readFile(file, "utf8");
    demand(
      text === "first\r\nlast",
      `"first\\r\\nlast" was accepted, the file holds ${JSON.stringify(text)}`,
    );
    const { mode } = await stat(file);
    demand(
      process.platform === "win32" || (mode & 0o777) === 0o640,
      `the file's mode was 0640 and is 0${(mode & 0o777).toString(8)}`,
    );
  },
};

export const rejectDiff: Check = {
  id: "reject-diff",
  title: "rejectDiff leaves the file alone and reports the outcome",
  requirements: ["P28"],
  lane: "proposals",
  async run({ wire, write, limits }) {
    const session = await wire.connect();
    await needTool(session, "rejectDiff");
    const file = await write("left.txt", "before\n");
    await session.openDiff(file, "proposed\n");
    await session.call("rejectDiff", { filePath: file });
    const { method } = await untilDecided(session, file, limits.event);
    demand(method === rejected, `${method} came after rejectDiff`);
    const text = await readFile(file, "utf8");
    demand(text === "before\n", `the file holds ${JSON.stringify(text)}`);
  },
};

export const foreignAccept: Check = {
  id: "foreign-accept",
  title: "acceptDiff and rejectDiff reach the caller's own diffs only",
  requirements: ["P28"],
  lane: "proposals",
  async run({ wire, write }) {
    const [owner, other] = [await wire.connect(), await wire.connect()];
    await needTool(owner, "acceptDiff");
    const file = await write("not-yours.txt", "before\n");
    await owner.openDiff(file, "proposed\n");
    for (const name of ["acceptDiff", "rejectDiff"]) {
      const { result, error } = await other.call(name, { filePath: file });
      demand(
        error !== undefined || result?.isError === true,
        `another session has decided the diff by ${name}`,
      );
    }
    const text = await readFile(file, "utf8");
    demand(text === "before\n", `the file holds ${JSON.stringify(text)}`);
  },
};
