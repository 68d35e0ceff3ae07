import { measure } from "./measure.mjs";

// Loaded into a process before its program: it reports its memory and handles on request.
process.on("message", async () => process.send(await measure()));
process.channel.unref();
