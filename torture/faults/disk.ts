import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import { openEditsFolder } from "../../packages/companion/src/core/edits/recovered-edits.ts";
import { codeOf } from "../../packages/companion/src/system/error-message.ts";
import { editsFolder } from "../../packages/companion/src/system/host.ts";
import {
  clientOf,
  demand,
  discoveryFiles,
  spawnCompanion,
  startCompanion,
  until,
  wholeFiles,
} from "./companion-process.ts";
import { type Fault, type Fixture, needsAdministrator } from "./fault.ts";
import { startPlainEditor } from "./language-server.ts";

const geminiMisses =
  /Gemini CLI will not find this companion\. Cannot write \S+: the (disk is full|file system is read-only)/;

/** Disks that are full or read-only, and folders that disappear. */
export const diskFaults: readonly Fault[] = [
  {
    sentence:
      "a full temporary folder is named with the CLI that finds no companion, which finds it once there is room",
    obstacle: needsAdministrator,
    async run(fixture) {
      const disk = mountDisk(fixture, fixture.sandbox.host.tmp);
      disk.fill();
      const companion = await startCompanion(fixture);
      const [, reason] = await companion.says(geminiMisses);
      demand(reason === "disk is full", "the reason is printed");
      await companion.client("qwen").initialize();
      disk.free();
      await companion.says(/Discovery +written: \S+gemini-ide-server/);
      await companion.proveThatItServes();
      demand(discoveryFiles(fixture).length === wholeFiles(fixture).length, "no temporary file is left");
    },
  },
  {
    sentence: "a temporary folder that is read-only is named, and used once it can be written",
    obstacle: needsAdministrator,
    async run(fixture) {
      const disk = mountDisk(fixture, fixture.sandbox.host.tmp);
      disk.lock();
      const companion = await startCompanion(fixture);
      const [, reason] = await companion.says(geminiMisses);
      demand(reason === "file system is read-only", "the reason is printed");
      disk.unlock();
      await companion.says(/Discovery +written: \S+gemini-ide-server/);
      await companion.proveThatItServes();
    },
  },
  {
    sentence: "with no room anywhere it does not start, and says why",
    obstacle: needsAdministrator,
    async run(fixture) {
      for (const folder of [fixture.sandbox.host.tmp, fixture.sandbox.host.home])
        mountDisk(fixture, folder).fill();
      const companion = spawnCompanion(fixture);
      demand((await companion.end) === 1, "it ends with 1");
      demand(
        /error: Cannot write \S+ and \d more: the disk is full\. Free some space, or point TMPDIR/.test(
          companion.output(),
        ),
        companion.output(),
      );
    },
  },
  {
    sentence:
      "a temporary folder that becomes read-only while it runs neither ends it nor makes it hang at the end",
    obstacle: needsAdministrator,
    async run(fixture) {
      const disk = mountDisk(fixture, fixture.sandbox.host.tmp);
      const companion = await startCompanion(fixture);
      disk.lock();
      await companion.proveThatItServes();
      companion.child.kill("SIGTERM");
      demand((await companion.end) === 143, "it ends when asked to");
      disk.unlock();
      const left = discoveryFiles(fixture);
      demand(left.length > 0, "the files that could not be removed are there");
      await startCompanion(fixture);
      demand(
        left.every((file) => !existsSync(file)),
        "the next start removes them",
      );
    },
  },
  {
    sentence:
      "discovery files that disappear while their folder is read-only are reported, and restored later",
    obstacle: needsAdministrator,
    async run(fixture) {
      const disk = mountDisk(fixture, fixture.sandbox.host.tmp);
      const bypass = join(fixture.sandbox.folder, "bypass");
      disk.openBypass(bypass);
      const companion = await startCompanion(fixture);
      const files = discoveryFiles(fixture);
      disk.lock();
      rmSync(join(bypass, "gemini"), { recursive: true });
      const [, reason] = await companion.says(geminiMisses);
      demand(reason === "file system is read-only", "the reason is printed");
      disk.unlock();
      await until("all files", () => (files.every((file) => existsSync(file)) ? true : undefined));
      await companion.proveThatItServes();
    },
  },
  {
    sentence: "an editor's folders that a full disk keeps out of the files are written once there is room",
    obstacle: needsAdministrator,
    async run(fixture) {
      const { sandbox } = fixture;
      const disks = [sandbox.host.tmp, sandbox.host.home].map((folder) => mountDisk(fixture, folder));
      const editor = await startPlainEditor(fixture);
      const before = discoveryFiles(fixture).map((file) => [file, readFileSync(file, "utf8")] as const);
      demand(before.length === 5, "all files are written");
      for (const disk of disks) disk.fill();
      const added = [{ uri: "file:///another", name: "another" }];
      await editor.notify("workspace/didChangeWorkspaceFolders", { event: { added, removed: [] } });
      await editor.receives(/Gemini CLI will not find this companion.*the disk is full/);
      demand(
        before.every(([file, text]) => readFileSync(file, "utf8") === text),
        "the old files stay complete",
      );
      for (const disk of disks) disk.free();
      await until("file that names both folders", () =>
        before.every(([file]) => readFileSync(file, "utf8").includes(":/another")) ? true : undefined,
      );
    },
  },
  {
    sentence: "edits that do not fit on the disk are in memory, and on disk once there is room",
    obstacle: needsAdministrator,
    async run(fixture) {
      const folder = editsFolder(fixture.sandbox.host);
      const disk = mountDisk(fixture, folder);
      const editor = await startPlainEditor(fixture);
      const qwen = clientOf(fixture, "qwen");
      await qwen.initialize();
      const filePath = join(fixture.sandbox.workspace, "edited.txt");
      await qwen.call("openDiff", { filePath, newContent: "proposed\n" });
      const document = await until("document of the proposal", () => editor.shown[0]);
      disk.fill();
      await editor.type(document, "typed by the user\n");
      await editor.receives(/Your edits of .+edited\.txt cannot be saved in .+: ENOSPC/);
      disk.free();
      await qwen.call("closeDiff", { filePath, suppressNotification: true });
      await editor.receives(/ide-companion edits restore [0-9a-f]{8}/);
      const edits = new EditsStore({ folder: openEditsFolder(folder) });
      const texts = edits.list().map(({ id }) => edits.read(id)?.text);
      demand(texts.join() === "typed by the user\n", `the disk has them: ${texts}`);
    },
  },
  {
    sentence: "a reviewed file on a full disk stays unchanged, and its diff open",
    obstacle: needsAdministrator,
    async run(fixture) {
      const disk = mountDisk(fixture, fixture.sandbox.workspace);
      const filePath = join(fixture.sandbox.workspace, "reviewed.txt");
      writeFileSync(filePath, "before\n");
      const companion = await startCompanion(fixture);
      const cli = await companion.client().initialize();
      await cli.call("openDiff", { filePath, newContent: "after\n".repeat(2000) });
      disk.fill();
      const refused = await cli.call("acceptDiff", { filePath });
      demand(JSON.stringify(refused.result).includes("its diff stays open: ENOSPC"), JSON.stringify(refused));
      demand(readFileSync(filePath, "utf8") === "before\n", "the file is as it was");
      disk.free();
      await cli.call("acceptDiff", { filePath });
      demand(readFileSync(filePath, "utf8") === "after\n".repeat(2000), "the file is as accepted");
    },
  },
  {
    sentence: "a full disk behind its log does not end it",
    obstacle: needsAdministrator,
    async run(fixture) {
      const folder = join(fixture.sandbox.folder, "log");
      const disk = mountDisk(fixture, folder);
      const log = openSync(join(folder, "log"), "a");
      const companion = spawnCompanion(fixture, { stdio: ["ignore", log, log] });
      const text = () => readFileSync(join(folder, "log"), "utf8");
      const [, port] = await until("start", () => /Port +(\d+)[\s\S]*or from any/.exec(text()) ?? undefined);
      disk.fill();
      const size = statSync(join(folder, "log")).blocks * 512;
      // Each connects, and is logged.
      for (let count = 0; count < 200; count++) await clientOf(fixture, "gemini").initialize();
      demand(statSync(join(folder, "log")).size >= size - 200, "the log is full to the last block");
      const health = await fetch(`http://127.0.0.1:${port}/health`);
      demand(health.status === 200 && !companion.hasEnded, "it still serves");
    },
  },
  {
    sentence: "discovery files and folders that another process deletes are restored",
    async run(fixture) {
      const companion = await startCompanion(fixture);
      const { tmp, home } = fixture.sandbox.host;
      const files = discoveryFiles(fixture);
      const texts = files.map((file) => readFileSync(file, "utf8"));
      for (const folder of [join(tmp, "gemini"), join(tmp, "qwen"), join(home, ".qwen")])
        rmSync(folder, { recursive: true });
      await companion.says(/Discovery +written: .*gemini-ide-server/);
      await until("all files", () => (files.every((file) => existsSync(file)) ? true : undefined));
      demand(
        files.every((file, index) => readFileSync(file, "utf8") === texts[index]),
        "they have the same content",
      );
      demand(
        files.every((file) => (statSync(file).mode & 0o777) === 0o600),
        "they are private",
      );
      await companion.proveThatItServes();
    },
  },
];

/** A small disk for one fault. */
export interface Disk {
  /** Uses all free space. */
  fill(): void;
  /** Frees it. */
  free(): void;
  /** Makes it read-only, except through the bypass. */
  lock(): void;
  unlock(): void;
  /** Mounts it in another folder, too, which is created. */
  openBypass(folder: string): void;
}

/** Mounts a disk of 256 KiB with 4 KiB blocks. Needs root. */
export function mountDisk({ sandbox }: Fixture, folder: string): Disk {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", folder]);
  sandbox.undo(() => execFileSync("umount", ["--lazy", folder]));
  const filling = join(folder, "filling");
  const remount = (mode: string) => execFileSync("mount", ["-o", `remount,bind,${mode}`, folder]);
  return {
    fill() {
      try {
        writeFileSync(filling, Buffer.alloc(1024 * 1024));
      } catch (error) {
        if (codeOf(error) !== "ENOSPC") throw error;
        return;
      }
      throw new Error(`${folder} takes more than it should`);
    },
    free: () => rmSync(filling),
    lock: () => remount("ro"),
    unlock: () => remount("rw"),
    openBypass(other) {
      mkdirSync(other);
      execFileSync("mount", ["--bind", folder, other]);
      sandbox.undo(() => execFileSync("umount", ["--lazy", other]));
    },
  };
}
