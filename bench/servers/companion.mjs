import { families } from "../../packages/companion/src/agents/families.ts";
import { serveCompanion } from "./serve-companion.mjs";

// The whole companion, with its debounce.
await serveCompanion(families, (editor, context) => editor.look(context));
