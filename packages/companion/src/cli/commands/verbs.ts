/** What comes after `ide-companion edits`. */
export const editsVerbs = ["list", "show", "diff", "restore", "discard"] as const;

/** What comes after `ide-companion comments`. */
export const commentsVerbs = ["list", "show", "discard"] as const;

/** What comes after `ide-companion history`. */
export const historyVerbs = ["list", "show", "diff", "undo", "reapply", "discard"] as const;

/** The verbs of `ide-companion changes`. */
export const changesVerbs = ["list", "diff", "keep", "revert", "undo"] as const;
