import type { Memento } from "vscode";

const key = "sharingIsPaused";

/** Whether the agents are told what the user looks at; remembered for the workspace. */
export interface Sharing {
  readonly isPaused: boolean;
  pause(isPaused: boolean): void;
}

export function createSharing(memory: Memento, onChange: () => void): Sharing {
  return {
    get isPaused() {
      return memory.get(key, false);
    },
    pause(isPaused) {
      void memory.update(key, isPaused).then(onChange);
    },
  };
}
