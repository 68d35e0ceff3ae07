import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience, poll } from "../../packages/testkit/src/waiting.ts";
import { companionOfEditor } from "./discovery-files.ts";
import { type Editor, type EditorKind, pathWithCommand } from "./editor.ts";
import { kate as program } from "./installed.ts";
import { codeOn } from "./page.ts";
import { openReviewPage, type ReviewPage } from "./review-page.ts";
import { startXScreen, type XScreen } from "./x-screen.ts";

/** Kate, which shows no document that a language server asks for: proposals are decided in the review page. */
export const kate: EditorKind = {
  name: "Kate",
  needs: { Kate: program, Xvfb: "/usr/bin/Xvfb", xdotool: "/usr/bin/xdotool", xclip: "/usr/bin/xclip" },
  start: startKate,
};

async function startKate(sandbox: Sandbox, files: readonly string[]): Promise<Editor> {
  const desktop = await setUp(sandbox);
  const screen = await startXScreen({ ...sandbox, env: { ...sandbox.env, PATH: desktop.path } });
  const pid = screen.start(program, ["-n", sandbox.workspace, ...files], sandbox.workspace);
  await companionOfEditor(sandbox, pid);
  return { ...createActions(sandbox, screen, desktop), kill: () => killTree(pid) };
}

/** What Kate's user has next to it. */
interface Desktop {
  readonly path: string;
  /** All that our command has said to Kate, which shows messages in its Output pane. */
  heard(): Promise<string>;
  /** The link that was opened in the browser last. */
  link(): Promise<string | undefined>;
}

async function setUp(sandbox: Sandbox): Promise<Desktop> {
  const path = await pathWithCommand(sandbox);
  const [config, bin] = [join(sandbox.home, ".config"), join(sandbox.home, "bin", "kate")];
  await mkdir(join(config, "kate", "lspclient"), { recursive: true });
  await mkdir(bin, { recursive: true });
  const [log, links] = [join(sandbox.home, "heard.log"), join(sandbox.home, "links.log")];
  const command = join(bin, "ide-companion");
  await writeScript(command, `"${sandbox.home}/bin/ide-companion" "$@" | tee -a "${log}"`);
  await writeScript(join(bin, "xdg-open"), `echo "$1" >> "${links}"`);
  await writeFile(join(config, "kate", "lspclient", "settings.json"), codeOn("kate.md", "json"));
  // Kate asks once whether a server may be started.
  await writeFile(join(config, "katerc"), `[lspclient]\nAllowedServerCommandLines=${command} lsp\n`);
  return {
    path: `${bin}:${path}`,
    heard: () => readOrEmpty(log),
    link: async () => (await readOrEmpty(links)).trim().split("\n").at(-1) || undefined,
  };
}

function createActions(sandbox: Sandbox, screen: XScreen, desktop: Desktop): Omit<Editor, "kill"> {
  let page: ReviewPage | undefined;
  const until = (what: string, is: () => Promise<boolean>) =>
    poll(what, is, {
      describe: async () => (await screen.titles()).join("\n"),
    });
  const isTitled = (name: string) => async () =>
    (await screen.titles()).some((title) => title.startsWith(name));
  const openPage = async () => {
    const link = await poll("a link in the browser", desktop.link);
    return openReviewPage(sandbox, link);
  };
  /** Waits until our command has said this. */
  const heard = async (text: string | RegExp) =>
    void (await until(`word of ${text}`, async () => (await desktop.heard()).split(text).length > 1));
  /** Selects the first occurrence of a text. */
  const find = async (text: string) => {
    await screen.press("ctrl+Home", "ctrl+f");
    await screen.type(text);
    await screen.press("Return", "Escape");
    await until(`selection of ${text}`, async () => (await screen.copy()) === text);
  };
  /** Takes an entry of the menu of actions. @param keys that lead there */
  const act = async (...keys: readonly string[]) => {
    await screen.press("alt+Return");
    await until("menu of actions", async () => (await screen.titles()).length > 1);
    await screen.press(...keys, "Return");
  };
  return {
    async open(path) {
      await run(program, [path], { env: screen.env, timeout: patience });
      await until(`window of ${path}`, isTitled(basename(path)));
    },
    close: () => screen.press("ctrl+w"),
    async select(text) {
      await find(text);
      await act("Down");
      await heard(/shared|has a reference to/i);
    },
    async typeUnsaved(text) {
      await screen.press("ctrl+Home", "End");
      await screen.type(text);
    },
    async shows(text) {
      await screen.press("ctrl+a");
      await until(text, async () => (await screen.copy()).includes(text));
      await screen.press("ctrl+shift+a");
    },
    readAgain: () => screen.press("F5"),
    async decideWritten(decision, text) {
      await find(text);
      await heard(" wrote +1 ");
      await act(...(decision === "Keep" ? ["Down"] : ["Down", "Down"]));
    },
    saveAll: () => screen.press("ctrl+l"),
    says: (text) => page?.page.getByText(text).first().waitFor() ?? heard(text),
    async proposal(name) {
      page ??= await openPage();
      const view = await page.proposal(name);
      return { replace: view.edit, accept: view.accept, reject: view.reject };
    },
    nothingWaits: async () => page?.nothingWaits(),
  };
}

async function writeScript(path: string, code: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${code}\n`);
  await chmod(path, 0o755);
}

/** Nobody has written it yet. */
function readOrEmpty(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
