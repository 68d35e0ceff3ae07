import { monitorEventLoopDelay } from "node:perf_hooks";

// Loaded into the companion's own process before anything else: tells how long its event loop has been blocked.
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("message", () => {
  process.send({ milliseconds: delay.max / 1e6 });
  delay.reset();
});
process.channel.unref();
