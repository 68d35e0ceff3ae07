import { editorScenarios } from "./harness/editor-scenarios.ts";
import { vscode } from "./harness/vscode.ts";

editorScenarios(vscode, { only: ["agent", "fake"] });
