import { editorScenarios } from "../harness/editor-scenarios.ts";
import { theia } from "../harness/theia.ts";

// The other ones are run in its own terminal.
editorScenarios(theia, { only: ["bytes", "environment"] });
