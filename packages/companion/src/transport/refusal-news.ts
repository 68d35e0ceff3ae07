/** How long the same refusal is not told again, in milliseconds. */
const silence = 60_000;

/** Different refusals in that time; there are not so many, unless somebody makes them up. */
const maxReasons = 8;

/**
 * Tells of refusals, but not of each: whoever is let in nowhere must not fill the editor's log either.
 * @param now milliseconds
 */
export function createRefusalNews(
  tell: (status: number, reason: string) => void,
  now: () => number = () => performance.now(),
): (status: number, reason: string) => void {
  const told = new Set<string>();
  let since = now();
  return (status, reason) => {
    if (now() - since > silence) {
      told.clear();
      since = now();
    }
    if (told.has(reason) || told.size >= maxReasons) return;
    told.add(reason);
    tell(status, reason);
  };
}
