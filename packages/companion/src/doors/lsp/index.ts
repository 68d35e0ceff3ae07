export { type LspDoor, type LspDoorOptions, startLspDoor } from "./lsp-door.ts";
