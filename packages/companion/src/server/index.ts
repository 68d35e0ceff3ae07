export type { Credential } from "./guard.ts";
export { createLaterPart } from "./later-part.ts";
export { listenOnLoopback } from "./loopback.ts";
export { type CompanionServer, startServer } from "./server.ts";
