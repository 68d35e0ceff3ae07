export type { Credential } from "./guard.ts";
export { type CompanionServer, startServer } from "./server.ts";
