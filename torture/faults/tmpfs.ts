import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fixture } from "./fault.ts";

/** A small disk of a fault's own. */
export interface Disk {
  /** Takes all the room there is. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  /** Lets nobody write to it but by another way. */
  lock(): void;
  unlock(): void;
  /** Opens another way to it, through a folder that is made for that. */
  openBypass(folder: string): void;
}

/** Lets a folder be a disk of 256 KiB, which holds 4 KiB blocks. Needs the rights of an administrator. */
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
