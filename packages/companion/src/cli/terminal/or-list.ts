/** `gemini, qwen, or claude`, in parts, so that each can be painted. */
export const orList = (names: readonly string[]) =>
  new Intl.ListFormat("en", { type: "disjunction" }).formatToParts(names);
