import { geminiFamily } from "../../packages/companion/src/agents/gemini-family/family.ts";
import { serveCompanion } from "./serve-companion.mjs";

/** A simple feed: it sends what is published at once, without the debounce. */
const listeners = new Set();
const feed = {
  current: { files: [] },
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
const family = {
  ...geminiFamily,
  serve: (agents, core, host) => geminiFamily.serve(agents, { ...core, context: feed }, host),
};

await serveCompanion([family], (_, { files: [active, ...others] }) => {
  feed.current = { files: [{ ...active, isActive: true }, ...others] };
  for (const listener of listeners) listener(feed.current);
});
