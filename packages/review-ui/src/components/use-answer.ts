import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { explainError } from "../model/api.ts";

/**
 * The last answer of the frontend, and why there has been none since.
 * @param inputs it is asked again when one of these is another
 * @param pause milliseconds in which none of them changes before it is asked
 */
export function useAnswer<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  inputs: readonly unknown[],
  pause = 0,
) {
  const answer = useSignal<Answer | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      try {
        const fresh = await ask(abort.signal);
        if (abort.signal.aborted) return;
        answer.value = fresh;
        trouble.value = undefined;
      } catch (error) {
        if (!abort.signal.aborted) trouble.value = explainError(error);
      }
    };
    let timer: number | undefined;
    if (pause > 0) timer = window.setTimeout(read, pause);
    else void read();
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, inputs);
  return { answer: answer.value, trouble: trouble.value };
}
