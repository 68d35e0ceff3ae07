/** Why a diff cannot be opened, closed or decided: one sentence for the agent's user. */
export class DiffError extends Error {
  override readonly name = "DiffError";
}
