/** How long the same refusal is not sent again, in milliseconds. */
const silence = 60_000;

/** Different refusals in that time; there are not so many, unless somebody makes them up. */
const maxReasons = 8;

/**
 * Tells of refusals, but not of each: a client without a token must not fill the editor's log either.
 * @param now milliseconds
 */
export function createRefusalNews(
  tell: (status: number, reason: string) => void,
  now: () => number = () => performance.now(),
): (status: number, reason: string) => void {
  const sent = new Set<string>();
  let since = now();
  return (status, reason) => {
    if (now() - since > silence) {
      sent.clear();
      since = now();
    }
    if (sent.has(reason) || sent.size >= maxReasons) return;
    sent.add(reason);
    tell(status, reason);
  };
}
