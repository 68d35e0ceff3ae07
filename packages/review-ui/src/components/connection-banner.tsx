import { useEffect, useState } from "preact/hooks";
import { useReview } from "../review-context.ts";
import { Icon } from "./icon.tsx";

/** Milliseconds before the banner appears. A restart of the companion takes less. */
const grace = 400;

/** Warns that the companion cannot be reached or does not answer. */
export function ConnectionBanner() {
  const { t, connection, announcer, frontend } = useReview();
  const state = connection.state.value;
  const isAway = state === "lost" || state === "silent";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isAway) {
      if (isShown) announcer.announce(t("Connected to the companion again."));
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), grace);
    return () => clearTimeout(timer);
  }, [isAway]);
  if (!isShown || !isAway) return null;
  const agents = [...new Set(frontend.proposals.value.map(({ agent }) => agent))];
  return (
    <div class="banner banner-warning" role="alert">
      <Icon name="warning" />
      <div>
        {state === "silent" ? <Silent /> : <Lost />}
        {state === "lost" && agents.length > 0 && <StuckAgents names={agents} />}
      </div>
      <button type="button" class="button" onClick={() => connection.retry()}>
        {t("Try now")}
      </button>
    </div>
  );
}

function Silent() {
  const { t } = useReview();
  return (
    <p>
      <strong>{t("The companion does not answer.")}</strong>{" "}
      {t(
        "It is still running, but hangs or has been stopped. What you type stays in this page and is sent when it answers again.",
      )}
    </p>
  );
}

function Lost() {
  const { t } = useReview();
  return (
    <p>
      <strong>{t("Disconnected.")}</strong>{" "}
      {t(
        "The companion cannot be reached. What you type stays in this page and is sent when it is back. The page keeps trying.",
      )}
    </p>
  );
}

/** What to do when a CLI does not notice that its companion was killed. */
function StuckAgents({ names }: { readonly names: readonly string[] }) {
  const { t } = useReview();
  return (
    <p>
      {t(
        "If $1 still waits for this review, decide in the terminal: answer the question there, or press Esc.",
        names.join(", "),
      )}
    </p>
  );
}
