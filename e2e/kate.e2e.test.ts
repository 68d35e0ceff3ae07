import { editorChains } from "./harness/editor-chains.ts";
import { kate } from "./harness/kate.ts";

editorChains(kate);
