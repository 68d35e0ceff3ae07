import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hashOf } from "../../files/text-hash.ts";
import { executablePath, type Sandbox, useExecutable } from "../process-fixture.ts";
import { hashFolder } from "./change.ts";
import { addProgram, all, call, createMachine, files, look } from "./install-fixture.ts";

useExecutable({ isChanged: true });

describe("an extension", () => {
  /** VS Code's command-line tool, as far as it matters here: it keeps a list in a file. */
  const tool = `list="$HOME/extensions"
case "$1" in
--list-extensions) cat "$list" 2>/dev/null || true ;;
--install-extension) [ ! -s "$2" ] && echo "$2 is empty" >&2 && exit 3
  echo ide-companion.ide-companion-vscode@0.1.0 > "$list" ;;
--uninstall-extension) rm "$list" ;;
esac`;

  /** As \`npm run package\` puts it there. */
  function addPackage(content: string): string {
    const folder = path.join(path.dirname(executablePath()), "editors", "vscode");
    mkdirSync(folder, { recursive: true });
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "ide-companion-0.1.0.vsix");
    writeFileSync(file, content);
    return file;
  }

  test("goes into the editor and out of it by the editor's own tool", async () => {
    const sandbox = createMachine();
    addProgram(sandbox, "codium", tool);
    const file = addPackage("content");
    const installed = await call(sandbox, "install", "--yes", "vscodium");
    expect(installed.text).toContain(`+ ${sandbox.bin}/codium --install-extension ${file}`);
    expect(readdirSync(sandbox.home).toSorted()).toEqual([".local", "extensions"]);
    expect((await call(sandbox, "install", "vscodium")).text).toBe("VSCodium is set up already.\n");
    expect(await call(sandbox, "uninstall", "--yes")).toMatchObject({ code: 0 });
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("that cannot be installed reverts what was done before", async () => {
    const sandbox = createMachine(files);
    addProgram(sandbox, "codium", tool);
    const file = addPackage("");
    const before = look(sandbox);
    const { code, text } = await call(sandbox, "install", "--yes", ...all, "vscodium");
    expect(code).toBe(1);
    expect(text).toContain(
      `error: ${sandbox.bin}/codium --install-extension ${file} --force ended with 3: ${file} is empty. Everything is as it was.`,
    );
    expect(look(sandbox)).toEqual(before);
  });

  /** Somebody adds a line to a file of the user's while the editor's tool runs. */
  const changing = (file: string) =>
    `${tool}\n[ "$1" = --list-extensions ] || echo '// added' >> "$HOME/${file}"`;
  const settings = ".gemini/settings.json";
  const added = `${files[settings]}// added\n`;

  test("does not cost what was written to a settings file after its change was shown", async () => {
    const sandbox = createMachine(files);
    addProgram(sandbox, "codium", changing(settings));
    addPackage("content");
    const { code, text } = await call(sandbox, "install", "--yes", "vscodium", "gemini");
    expect(code).toBe(1);
    expect(text).toContain(
      `error: ${sandbox.home}/${settings} has changed in the meantime: run this again. Everything is as it was.`,
    );
    // Both calls of the tool have added a line, and nothing has taken one away.
    expect(readFileSync(path.join(sandbox.home, settings), "utf8")).toBe(`${added}// added\n`);
    expect(existsSync(path.join(sandbox.home, "extensions"))).toBe(false);
  });

  test("that fails does not put a settings file back that was changed meanwhile, and says so", async () => {
    const sandbox = createMachine(files);
    addProgram(
      sandbox,
      "codium",
      `[ "$1" = --list-extensions ] || echo '// added' >> "$HOME/${settings}"\n${tool}`,
    );
    addPackage("");
    const { code, text } = await call(sandbox, "install", "--yes", "gemini", "vscodium");
    expect(code).toBe(1);
    expect(text).toContain(
      `All else is as it was. ${sandbox.home}/${settings} stays: it has changed in the meantime.`,
    );
    expect(readFileSync(path.join(sandbox.home, settings), "utf8")).toMatch(
      /"enabled": true[\s\S]*\/\/ added\n$/,
    );
  });

  test("is not taken out with a settings file that was changed after the removal was shown", async () => {
    const sandbox = createMachine(files);
    addProgram(sandbox, "codium", tool);
    addPackage("content");
    await call(sandbox, "install", "--yes", "gemini", "vscodium");
    addProgram(sandbox, "codium", changing(settings));
    const { code, text } = await call(sandbox, "uninstall", "--yes", "vscodium", "gemini");
    expect(code).toBe(1);
    expect(text).toContain("has changed in the meantime: run this again.");
    expect(readFileSync(path.join(sandbox.home, settings), "utf8")).toMatch(
      /"enabled": true[\s\S]*\/\/ added\n$/,
    );
  });

  /** Plugins as an older version of them would have been set up. */
  function makeOlder({ home }: Sandbox): void {
    const [vim, neovim, loader] = [
      path.join(home, ".vim/pack/ide/start/ide-companion"),
      path.join(home, ".local/share/nvim/site/pack/ide/start/ide-companion"),
      path.join(home, ".local/share/nvim/site/plugin/load-ide-companion.lua"),
    ] as const;
    for (const folder of [vim, neovim]) writeFileSync(path.join(folder, "doc/ide-companion.txt"), "older");
    writeFileSync(loader, "-- older\n");
    const record = path.join(home, ".local/state/ide-companion/installed.json");
    const known = JSON.parse(readFileSync(record, "utf8"));
    known.done.vim[0].hash = hashFolder(vim);
    known.done.neovim[0].hash = hashFolder(neovim);
    Object.assign(known.done.neovim[1], {
      edit: { kind: "whole", text: "-- older\n" },
      hash: hashOf("-- older\n"),
    });
    writeFileSync(record, JSON.stringify(known));
  }

  /** Ends the command while it waits for the tool. */
  const interrupting = `[ "$1" = --list-extensions ] || kill -9 $PPID\n${tool}`;
  const editors = ["vscodium", "vim", "neovim"];

  test.each([
    ["updated", ["install", "--yes", ...editors]],
    ["taken away", []],
  ])("during which an update was interrupted leaves plugins that can be %s", async (_, update) => {
    const sandbox = createMachine();
    addPackage("content");
    addProgram(sandbox, "codium", interrupting);
    await call(sandbox, "install", "--yes", "vim", "neovim");
    makeOlder(sandbox);
    expect((await call(sandbox, "install", "--yes", ...editors)).code).toBe("SIGKILL");
    addProgram(sandbox, "codium", tool);
    if (update.length > 0) expect(await call(sandbox, ...update)).toMatchObject({ code: 0 });
    expect(await call(sandbox, "uninstall", "--yes")).toMatchObject({ code: 0 });
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("during whose removal the command was interrupted leaves all else to the next call", async () => {
    const sandbox = createMachine();
    addPackage("content");
    addProgram(sandbox, "codium", tool);
    await call(sandbox, "install", "--yes", ...editors);
    addProgram(sandbox, "codium", interrupting);
    expect((await call(sandbox, "uninstall", "--yes", ...editors)).code).toBe("SIGKILL");
    addProgram(sandbox, "codium", tool);
    expect(await call(sandbox, "uninstall", "--yes")).toMatchObject({ code: 0 });
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("is missing in a program that was built without it, and says so", async () => {
    const sandbox = createMachine();
    addProgram(sandbox, "codium", tool);
    const { code, text } = await call(sandbox, "install", "--yes", "vscodium");
    expect(code).toBe(1);
    expect(text).toContain("error: VSCodium: this ide-companion was packed without the extension of VS Code");
  });

  test("needs the editor's own tool", async () => {
    const sandbox = createMachine();
    Object.assign(sandbox.env, { PATH: `${sandbox.bin}:${path.dirname(process.execPath)}` });
    expect((await call(sandbox, "install", "--yes", "vscodium")).text).toContain(
      "there is no codium in your PATH, the command-line tool that VSCodium comes with",
    );
  });
});
