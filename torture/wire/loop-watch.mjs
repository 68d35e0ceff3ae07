import { readFileSync } from "node:fs";

// Loaded first into the companion's process: reports how long its event loop was blocked.
let longest = 0;
let last = sample();
setInterval(() => {
  const present = sample();
  longest = Math.max(longest, present.time - last.time - (present.waited - last.waited));
  last = present;
}, 5).unref();

/** The time, and how long this thread has waited for a processor; in milliseconds. */
function sample() {
  return { time: performance.now(), waited: process.platform === "linux" ? readWaited() : 0 };
}

function readWaited() {
  const [, nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

process.on("message", () => {
  process.send({ milliseconds: longest });
  longest = 0;
});
process.channel.unref();
