/** What a browser remembers for us, as JSON; a browser may be set to remember nothing. */
export function remember(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(`ide-companion.${key}`, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works, it only forgets.
  }
}

/** @returns undefined when nothing (readable) is remembered. */
export function recall(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(`ide-companion.${key}`) ?? "null") ?? undefined;
  } catch {
    return undefined; // forbidden, or written by somebody else
  }
}
