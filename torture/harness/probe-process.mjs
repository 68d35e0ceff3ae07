import { measure } from "./measure.mjs";

// Loaded into a process before its program: it tells what it holds, whenever it is asked.
process.on("message", async () => process.send(await measure()));
process.channel.unref();
