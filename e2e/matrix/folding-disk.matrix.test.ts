import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { writeReviewedFile } from "../../packages/companion/src/files/reviewed-file.ts";
import { run } from "../../packages/testkit/src/run.ts";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";

const tools = ["/usr/sbin/mkfs.exfat", "/usr/sbin/mount.exfat-fuse", "/dev/fuse", "/dev/loop-control"];

test("a file keeps its name on a disk that ignores case, whatever case an agent names it in", async (t) => {
  await onFoldingDisk(t, async (disk) => {
    await mkdir(join(disk, "Shop"));
    await writeFile(join(disk, "Shop", "Cart.txt"), "old\n");
    const other = join(disk, "SHOP", "cart.TXT");
    await writeReviewedFile(other, "mine\n", {
      before: { bytes: Buffer.from("old\n") },
      within: [join(disk, "SHOP")],
    });
    expect(await readdir(disk)).toEqual(["Shop"]);
    expect(await readdir(join(disk, "Shop"))).toEqual(["Cart.txt"]);
    expect(await readFile(join(disk, "Shop", "Cart.txt"), "utf8")).toBe("mine\n");
  });
});

test("a name in decomposed letters, as macOS writes it, stays as it is", async (t) => {
  await onFoldingDisk(t, async (disk) => {
    const name = "Cafe\u0301.txt";
    await writeFile(join(disk, name), "old\n");
    await writeReviewedFile(join(disk, "CAFE\u0301.TXT"), "mine\n", { within: [disk] });
    expect(await readdir(disk)).toEqual([name]);
    expect(await readFile(join(disk, name), "utf8")).toBe("mine\n");
  });
});

/** An exFAT image, mounted through FUSE for one test. */
async function onFoldingDisk({ skip }: TestContext, use: (disk: string) => Promise<void>): Promise<void> {
  const absent = tools.filter((tool) => !existsSync(tool));
  if (absent.length > 0) skip(`a disk that ignores case needs ${absent.join(", ")}`);
  if (process.getuid?.() !== 0) skip("only root mounts a disk that ignores case");
  const sandbox = await createSandbox();
  try {
    await use(await mountDisk(sandbox));
  } finally {
    await sandbox.close();
  }
}

async function mountDisk(sandbox: Sandbox): Promise<string> {
  const [image, disk] = [join(sandbox.tmp, "disk.img"), join(sandbox.tmp, "disk")];
  await writeFile(image, "");
  await truncate(image, 16 * 1024 * 1024);
  await mkdir(disk);
  await run("mkfs.exfat", [image]);
  const device = (await run("losetup", ["--find", "--show", image])).stdout.trim();
  sandbox.own({ close: async () => void (await run("losetup", ["--detach", device])) });
  await run("mount.exfat-fuse", [device, disk]);
  sandbox.own({ close: async () => void (await run("umount", [disk])) });
  return disk;
}
