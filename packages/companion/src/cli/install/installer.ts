import type { MakePlan } from "../../editors/set-up/plan.ts";

/** An editor, or an agent's CLI, as `install` offers it. */
export interface Installer {
  /** As typed after `ide-companion install`. */
  readonly name: string;
  readonly displayName: string;
  /**
   * What is offered without a question: an agent's settings are touched on request only. An agent of kind `command` has
   * no settings for it: it is not offered, and by name it is said what to type.
   */
  readonly kind: "editor" | "agent" | "command";
  /** The names that its program has, the usual one first. */
  readonly programs: readonly string[];
  /** Loaded when it is wanted. */
  load(): Promise<MakePlan>;
}
