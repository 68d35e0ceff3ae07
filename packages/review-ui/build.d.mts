/** @see build.mjs */
export function buildPage(folder?: string): Promise<void>;
