import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fixture } from "./fault.ts";

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
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
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
