/** A promise that somebody else settles: `Promise.withResolvers`, which Node 20 does not have. */
export function createDeferred<Value>() {
  let resolve: (value: Value | PromiseLike<Value>) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
