/** What comes after `ide-companion history`. */
export const verbs = ["list", "show", "diff", "undo", "reapply", "discard"] as const;
