import { useReview } from "../review-context.ts";
import { Worded } from "./worded.tsx";

/** Instead of the page, when the frontend does not know this browser. */
export function LockedOut() {
  const { t } = useReview();
  return (
    <main class="whole-page">
      <h1>{t("This page needs a new link")}</h1>
      <p>
        {t(
          "This link has been used, or the companion has been restarted. Open the link printed in the companion’s terminal; each link works once.",
        )}
      </p>
      <p>
        <Worded
          sentence="If the companion is not running, run $1 in your folder. It prints a link and opens it."
          values={[<code key="command">ide-companion</code>]}
        />
      </p>
      <p>
        <button type="button" class="button" onClick={() => location.reload()}>
          {t("Try again")}
        </button>
      </p>
    </main>
  );
}
