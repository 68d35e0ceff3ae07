export { type ContextFeed, createContextFeed } from "./context-feed.ts";
