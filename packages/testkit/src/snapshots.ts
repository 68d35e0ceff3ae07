import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Waits until the snapshots have been taken that hooks of ide-companion have requested. @param home of their user */
export function waitForSnapshots(home: string): void {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const pending = pendingIn(join(home, ".local/state/ide-companion/written/trees"));
    if (pending.length === 0) return;
    if (Date.now() > deadline) throw new Error(`no end of the snapshots: ${pending.join(", ")}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

function pendingIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => /[\\/](?:lock|request)$/.test(name));
  } catch {
    return []; // none was ever requested, or a file has just gone
  }
}
