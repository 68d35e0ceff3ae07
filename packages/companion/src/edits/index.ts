export { Draft } from "./draft.ts";
export { type EditsFolder, openEditsFolder } from "./edits-folder.ts";
export { EditsStore } from "./edits-store.ts";
export { holdsText } from "./file-holds.ts";
export { type Edits, noEdits, type RecoveredEdits, type RecoveredEditsSummary } from "./recovered-edits.ts";
