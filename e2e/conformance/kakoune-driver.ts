import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ended } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Kakoune, kakoune, quote } from "../harness/kakoune.ts";
import { stepsTo, sweepBy } from "./driver-steps.ts";
import type { Drivers, KitEditor } from "./kit-editor.ts";

/** Kakoune with our script, in a terminal, driven by its keys. */
export async function startKakoune(sandbox: Sandbox): Promise<KitEditor> {
  const first = join(sandbox.workspace, "open.txt");
  await writeFile(first, "open\n");
  const editor = await kakoune.start(sandbox, [first]);
  return {
    drivers: createDrivers(sandbox, editor),
    async end(signal) {
      // It is none of Kakoune's children.
      const companion = await editor.companion();
      process.kill(editor.pid, signal);
      await ended([editor.pid, companion]);
    },
  };
}

function createDrivers(sandbox: Sandbox, { terminal, command, value, until, insert }: Kakoune): Drivers {
  const goTo = async (path: string, line: string, column: string, keys: { line: string; right: string }) => {
    const steps = await stepsTo(path, Number(line), Number(column));
    await terminal.type(`${line}${keys.line}${steps === 0 ? "" : `${steps}${keys.right}`}`);
    await until(`line ${line}`, "%val{cursor_line}", line);
  };
  const open = async (path: string, line: string, column: string) => {
    await command(`edit ${quote(path)}`);
    await until(path, "%val{buffile}", path);
    await goTo(path, line, column, { line: "g", right: "l" });
  };
  /** By the name of its file: it is in a folder of the companion. */
  const isProposed = async (path: string) =>
    (await value("%opt{ide_companion_waiting}"))
      .split(" ")
      .some((waiting) => waiting.endsWith(basename(path)));
  const enter = (path: string) =>
    poll(
      `proposal for ${path}`,
      async () => {
        await command("ide-companion-review");
        const shown = await value("%val{buffile}");
        return shown !== path && basename(shown) === basename(path);
      },
      { describe: terminal.screen },
    );
  const inProposal = async (path: string, text: string) => {
    await enter(path);
    await command(text);
  };
  return {
    open,
    async select(path, line, column, toLine, toColumn) {
      await open(path, line, column);
      // The character under the cursor is part of the selection.
      await goTo(path, toLine, String(Number(toColumn) - 1), { line: "G", right: "L" });
    },
    sweep: sweepBy(open, () => terminal.press("Down")),
    async close(path) {
      if (await isProposed(path)) await enter(path);
      else await open(path, "1", "1");
      await command("delete-buffer!");
    },
    accept: (path) => inProposal(path, "write"),
    reject: (path) => inProposal(path, "ide-companion-reject"),
    async edit(path, text) {
      await enter(path);
      // Every buffer ends with a newline.
      await insert("%di", text.replace(/\n$/, ""));
    },
    shows: async (path) => ((await isProposed(path)) ? "yes" : "no"),
    async mention(path, first, last) {
      await open(path, first, "1");
      await goTo(path, last, "1", { line: "G", right: "L" });
      await command("ide-companion-send");
    },
    /** The variables of what `:ide-companion-terminal` starts. */
    async environment() {
      const file = join(await value("%opt{ide_companion_folder}"), "env");
      const { stdout } = await run("sh", ["-c", '. "$0"; env', file], { env: sandbox.env });
      return stdout;
    },
  };
}
