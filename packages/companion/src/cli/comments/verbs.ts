/** What comes after `ide-companion comments`. */
export const verbs = ["list", "show", "discard"] as const;
