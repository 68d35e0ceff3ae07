/** What few calls of a hook need. It lies in another file, because Node parses every byte of a file that it loads. */
export { createSharing } from "../../core/sharing/sharing.ts";
export { prune } from "../../core/written/prune.ts";
export { askUser, hearDecision } from "./ask.ts";
