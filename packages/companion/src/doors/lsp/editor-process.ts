import { pidIsAlive } from "../../discovery/index.ts";

/** How often to look, in milliseconds. */
const pulse = 2000;

/** Resolves once the editor's process is no more; some leave their pipes open behind them. Keeps nothing alive. */
export function whenGone(pid: number, isAlive: (pid: number) => boolean = pidIsAlive): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve();
    }, pulse).unref();
  });
}
