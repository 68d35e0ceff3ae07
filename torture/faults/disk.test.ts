import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import { openEditsFolder } from "../../packages/companion/src/core/edits/recovered-edits.ts";
import { codeOf } from "../../packages/companion/src/system/error-message.ts";
import { editsFolder } from "../../packages/companion/src/system/host.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { clientOf, discoveryFiles, spawnCompanion, startCompanion, wholeFiles } from "./companion.ts";
import { demand, fault, needsRoot } from "./fixture.ts";
import { startPlainEditor } from "./plain-editor.ts";

const geminiMisses =
  /Gemini CLI will not find this companion\. Cannot write \S+: the (disk is full|file system is read-only)/;

fault(
  "a full temporary folder is named with the CLI that finds no companion, which finds it once there is room",
  async (sandbox) => {
    const disk = mountDisk(sandbox, sandbox.host.tmp);
    disk.fill();
    const companion = await startCompanion(sandbox);
    const [, reason] = await companion.says(geminiMisses);
    demand(reason === "disk is full", "the reason is printed");
    await companion.client("qwen").initialize();
    disk.free();
    await companion.says(/Discovery +written: \S+gemini-ide-server/);
    await companion.proveThatItServes();
    demand(discoveryFiles(sandbox).length === wholeFiles(sandbox).length, "no temporary file is left");
  },
  needsRoot,
);

fault(
  "with no room anywhere it does not start, and says why",
  async (sandbox) => {
    for (const folder of [sandbox.host.tmp, sandbox.host.home]) mountDisk(sandbox, folder).fill();
    const companion = spawnCompanion(sandbox);
    demand((await companion.end) === 1, "it ends with 1");
    demand(
      /error: Cannot write \S+ and \d more: the disk is full\. Free some space, or point TMPDIR/.test(
        companion.output(),
      ),
      companion.output(),
    );
  },
  needsRoot,
);

fault(
  "a temporary folder that becomes read-only while it runs neither ends it nor makes it hang at the end",
  async (sandbox) => {
    const disk = mountDisk(sandbox, sandbox.host.tmp);
    const companion = await startCompanion(sandbox);
    disk.lock();
    await companion.proveThatItServes();
    companion.child.kill("SIGTERM");
    demand((await companion.end) === 143, "it ends when asked to");
    disk.unlock();
    const left = discoveryFiles(sandbox);
    demand(left.length > 0, "the files that could not be removed are there");
    await startCompanion(sandbox);
    demand(
      left.every((file) => !existsSync(file)),
      "the next start removes them",
    );
  },
  needsRoot,
);

fault(
  "discovery files that disappear while their folder is read-only are reported, and restored later",
  async (sandbox) => {
    const disk = mountDisk(sandbox, sandbox.host.tmp);
    const bypass = join(sandbox.folder, "bypass");
    disk.openBypass(bypass);
    const companion = await startCompanion(sandbox);
    const files = discoveryFiles(sandbox);
    disk.lock();
    rmSync(join(bypass, "gemini"), { recursive: true });
    const [, reason] = await companion.says(geminiMisses);
    demand(reason === "file system is read-only", "the reason is printed");
    disk.unlock();
    await poll("all files", () => files.every((file) => existsSync(file)));
    await companion.proveThatItServes();
  },
  needsRoot,
);

fault(
  "an editor's folders that a full disk keeps out of the files are written once there is room",
  async (sandbox) => {
    const disks = [sandbox.host.tmp, sandbox.host.home].map((folder) => mountDisk(sandbox, folder));
    const editor = await startPlainEditor(sandbox);
    const before = discoveryFiles(sandbox).map((file) => [file, readFileSync(file, "utf8")] as const);
    demand(before.length === 3, "all files are written");
    for (const disk of disks) disk.fill();
    const added = [{ uri: "file:///another", name: "another" }];
    await editor.notify("workspace/didChangeWorkspaceFolders", { event: { added, removed: [] } });
    await editor.receives(/Gemini CLI will not find this companion.*the disk is full/);
    demand(
      before.every(([file, text]) => readFileSync(file, "utf8") === text),
      "the old files stay complete",
    );
    for (const disk of disks) disk.free();
    await poll("file that names both folders", () =>
      before.every(([file]) => readFileSync(file, "utf8").includes(":/another")),
    );
  },
  needsRoot,
);

fault(
  "edits that do not fit on the disk are in memory, and on disk once there is room",
  async (sandbox) => {
    const folder = editsFolder(sandbox.host);
    const disk = mountDisk(sandbox, folder);
    const editor = await startPlainEditor(sandbox);
    const qwen = clientOf(sandbox, "qwen");
    await qwen.initialize();
    const filePath = join(sandbox.workspace, "edited.txt");
    await qwen.call("openDiff", { filePath, newContent: "proposed\n" });
    const document = await poll("document of the proposal", () => editor.shown[0]);
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
  needsRoot,
);

fault(
  "a reviewed file on a full disk stays unchanged, and its diff open",
  async (sandbox) => {
    const disk = mountDisk(sandbox, sandbox.workspace);
    const filePath = join(sandbox.workspace, "reviewed.txt");
    writeFileSync(filePath, "before\n");
    const companion = await startCompanion(sandbox);
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
  needsRoot,
);

fault(
  "a full disk behind its log does not end it",
  async (sandbox) => {
    const folder = join(sandbox.folder, "log");
    const disk = mountDisk(sandbox, folder);
    const log = openSync(join(folder, "log"), "a");
    const companion = spawnCompanion(sandbox, { stdio: ["ignore", log, log] });
    const text = () => readFileSync(join(folder, "log"), "utf8");
    const [, port] = await poll("start", () => /Port +(\d+)[\s\S]*Restart one/.exec(text()) ?? undefined);
    disk.fill();
    const size = statSync(join(folder, "log")).blocks * 512;
    // Each connects, and is logged.
    for (let count = 0; count < 200; count++) await clientOf(sandbox, "gemini").initialize();
    demand(statSync(join(folder, "log")).size >= size - 200, "the log is full to the last block");
    const health = await fetch(`http://127.0.0.1:${port}/health`);
    demand(health.status === 200 && !companion.hasEnded, "it still serves");
  },
  needsRoot,
);

fault("discovery files and folders that another process deletes are restored", async (sandbox) => {
  const companion = await startCompanion(sandbox);
  const { tmp, home } = sandbox.host;
  const files = discoveryFiles(sandbox);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  for (const folder of [join(tmp, "gemini"), join(tmp, "qwen"), join(home, ".qwen")])
    rmSync(folder, { recursive: true });
  await companion.says(/Discovery +written: .*gemini-ide-server/);
  await poll("all files", () => files.every((file) => existsSync(file)));
  demand(
    files.every((file, index) => readFileSync(file, "utf8") === texts[index]),
    "they have the same content",
  );
  demand(
    files.every((file) => (statSync(file).mode & 0o777) === 0o600),
    "they are private",
  );
  await companion.proveThatItServes();
});

/** A small disk for one fault. */
interface Disk {
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
function mountDisk(sandbox: Sandbox, folder: string): Disk {
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
