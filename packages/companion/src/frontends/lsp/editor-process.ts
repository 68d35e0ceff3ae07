import { pidIsAlive } from "../../system/liveness.ts";

/** How often to look, in milliseconds. */
const pulse = 2000;

/**
 * Tells once the editor's process is no more; some leave their pipes open behind them. Keeps nothing alive.
 * @returns looks no longer
 */
export function onGone(pid: number, tell: () => void): () => void {
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    if (pidIsAlive(pid)) return;
    stop();
    tell();
  }, pulse).unref();
  return stop;
}
