import { editorChains } from "./harness/editor-chains.ts";
import { vscode } from "./harness/vscode.ts";

editorChains(vscode, { only: ["context", "review", "surroundings"] });
