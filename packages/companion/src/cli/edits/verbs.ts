/** What comes after `ide-companion edits`. */
export const verbs = ["list", "show", "diff", "restore", "discard"] as const;
