import { editorScenarios } from "./harness/editor-scenarios.ts";
import { kate } from "./harness/kate.ts";

editorScenarios(kate);
