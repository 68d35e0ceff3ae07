import { expect, test } from "vitest";
import { createSandbox } from "../../packages/testkit/src/sandbox.ts";
import { notOffered, ourLibrary, runKit, within } from "../conformance/kit-run.ts";
import { missingFor, startWindows } from "./wine.ts";

/** What the kit cannot check where files have no modes and programs receive no signals. */
const ofUnix = ["file-mode", "folder-mode", "appears-whole", "linked-folder", "open-folder", "hang-up"];
const runs = [
  { title: "Gemini CLI and Qwen Code", notRun: [...ofUnix, ...notOffered] },
  { agent: "claude-code", title: "Claude Code", notRun: ["lock-mode"] },
  { agent: "copilot-cli", title: "Copilot CLI", notRun: ["lock-mode", "private-socket"] },
];

/** The newest Node of each Wine. */
for (const version of ["22", "26"]) {
  for (const { agent, title, notRun } of runs) {
    test(`on Node ${version} the library passes the kit of ${title}`, { timeout: within }, async ({
      skip,
    }) => {
      const absent = missingFor(version);
      if (absent !== undefined) skip(absent);
      const sandbox = await createSandbox();
      try {
        const node = await startWindows(sandbox, version);
        const subject = {
          ...ourLibrary(node.path),
          node: node.program,
          ...(agent !== undefined && { agent }),
        };
        expect((await runKit(sandbox, subject)).toSorted()).toEqual(notRun.toSorted());
      } finally {
        await sandbox.close();
      }
    });
  }
}
