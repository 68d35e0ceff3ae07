/**
 * What a test starts now and awaits later. Should it fail in between, this promise's own failure is no second one: it
 * would be counted as an error of the whole run, also when the test passes at its second try.
 */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {}); // the caller who awaits it receives the error
  return promise;
}
