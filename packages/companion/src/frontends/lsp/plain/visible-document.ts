/** How long to wait for the other documents on the screen, in milliseconds. */
const gathering = 50;

/**
 * Inlay hints are asked for whatever is on the screen: one document alone has the user's eyes, of several
 * nobody knows which.
 */
export function watchVisibleDocument(onOne: (uri: string) => void): (uri: string) => void {
  const seen = new Set<string>();
  return (uri) => {
    seen.add(uri);
    if (seen.size > 1) return;
    setTimeout(() => {
      if (seen.size === 1) onOne(uri);
      seen.clear();
    }, gathering).unref();
  };
}
