import { editorChains } from "../harness/editor-chains.ts";
import { theia, theiaTime } from "../harness/theia.ts";

// The other ones are run in its own terminal.
editorChains(theia, { only: ["bytes", "surroundings"], within: theiaTime });
