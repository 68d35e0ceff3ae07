import { useEffect, useState } from "preact/hooks";
import { useReview } from "../review-context.ts";
import { Icon } from "./icon.tsx";

/** Milliseconds that a break may last without a word: a restart takes less. */
const grace = 400;

/** Says that the companion cannot be reached, and what that means. */
export function ConnectionBanner() {
  const { connection, announcer } = useReview();
  const isLost = connection.state.value === "lost";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) {
      if (isShown) announcer.say("Connected to the companion again.");
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), grace);
    return () => clearTimeout(timer);
  }, [isLost]);
  if (!isShown) return null;
  return (
    <div class="banner banner-warning" role="alert">
      <Icon name="warning" />
      <p>
        <strong>Disconnected.</strong> The companion does not answer. What you type is kept in this page and
        sent when it is back; it is tried again by itself.
      </p>
      <button type="button" class="button" onClick={() => connection.retry()}>
        Try now
      </button>
    </div>
  );
}
