import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { explainError } from "../model/api.ts";

/**
 * The last answer of the frontend, and why there has been none since.
 * @param inputs it is asked again when one of these is another
 */
export function useAnswer<Answer>(ask: () => Promise<Answer>, inputs: readonly unknown[]) {
  const answer = useSignal<Answer | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  useEffect(() => {
    let isOutdated = false;
    const read = async () => {
      try {
        const fresh = await ask();
        if (isOutdated) return;
        answer.value = fresh;
        trouble.value = undefined;
      } catch (error) {
        if (!isOutdated) trouble.value = explainError(error);
      }
    };
    void read();
    return () => {
      isOutdated = true;
    };
  }, inputs);
  return { answer: answer.value, trouble: trouble.value };
}
