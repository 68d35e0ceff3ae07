import { editorChains } from "./harness/editor-chains.ts";
import { helix } from "./harness/helix.ts";

editorChains(helix);
