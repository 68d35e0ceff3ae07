import { readFileSync } from "node:fs";

// Loaded into the companion's own process before anything else: tells how long its event loop has been blocked.
let longest = 0;
let last = look();
setInterval(() => {
  const present = look();
  longest = Math.max(longest, present.time - last.time - (present.waited - last.waited));
  last = present;
}, 5).unref();

/** Now, and for how long this thread has had to wait for a processor that others had; in milliseconds. */
function look() {
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
