import { editorChains } from "./harness/editor-chains.ts";
import { gemini } from "./harness/gemini.ts";
import { kate } from "./harness/kate.ts";

editorChains(kate, { agents: [gemini] });
