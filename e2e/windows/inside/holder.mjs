// Runs on Windows: another program that has a file open, until it is sent a message. `node holder.mjs FILE shared|exclusive`
import { closeSync, constants, openSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const [, , file, how] = process.argv;

/** Nobody else may open the file meanwhile. Node passes it on to libuv, and has no name for it: UV_FS_O_EXLOCK. */
const exclusive = 0x10000000;

const handle = openSync(file, how === "exclusive" ? constants.O_RDWR | exclusive : "r+");
process.send("held");
process.once("message", async (message) => {
  // Nothing shows that somebody has tried to open the file.
  if (message === "release soon") await wait(500);
  closeSync(handle);
  process.disconnect();
});
