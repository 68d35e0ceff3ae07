export { defaultExclusions } from "./default-exclusions.ts";
export { toPatterns } from "./exclusion.ts";
export { createPauseMarks, type PauseMarks } from "./pause-marks.ts";
export { createSharing, type Sharing, type SharingOptions } from "./sharing.ts";
export { combineRules, noRules, parseUserRules, strictRules, type UserRules } from "./user-rules.ts";
