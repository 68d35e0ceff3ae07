import { useEffect, useState } from "preact/hooks";
import { explainReason } from "../../../companion/src/core/sentences.ts";
import type { Toast } from "../model/toasts.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Strip } from "./diff-strips.tsx";
import { IconButton } from "./icon.tsx";
import { Badge } from "./labels.tsx";

/** Messages in the corner. They never take the focus: the user brings it there. */
export function Notices() {
  const { t, toasts } = useReview();
  if (toasts.list.value.length === 0) return null;
  return (
    <section class="notices column" aria-label={t("Notices")} tabIndex={-1} data-area>
      {toasts.list.value.map((toast) => (
        <Notice key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** It stays as long as the pointer or the focus is in it. */
function Notice({ toast }: { readonly toast: Toast }) {
  const { t, toasts } = useReview();
  const { id, level, text, count, action } = toast;
  const pause = () => toasts.pause(id);
  const resume = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    if (!currentTarget.matches(":hover, :focus-within")) toasts.resume(toast);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays
    <div
      class={`toast floating row toast-${level}`}
      onMouseEnter={pause}
      onMouseLeave={resume}
      onFocusIn={pause}
      onFocusOut={resume}
    >
      <p>
        {text} {count > 1 && <Badge>{count}×</Badge>}
      </p>
      {action && (
        <Button
          {...(action.isUndo && { "aria-keyshortcuts": "z", title: `${t("Undo the last decision")} (z)` })}
          onClick={() => {
            toasts.dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label={t("Dismiss")} onClick={() => toasts.dismiss(id)} />
    </div>
  );
}

/** Offers all newly recovered edits, above the texts. */
export function RecoveredBanner() {
  const { t, translate, recovered, tabs, preferences } = useReview();
  const news = recovered.news.value;
  const [first] = news;
  if (!first) return null;
  const isOne = news.length === 1;
  const open = () => {
    recovered.dismiss();
    if (isOne) tabs.open({ kind: "recovered", subject: first.id });
    else preferences.isPanelOpen.value = true;
  };
  const buttons = (
    <>
      <Button kind="primary" onClick={open}>
        {t(isOne ? "Compare" : "Show them")}
      </Button>
      <IconButton
        icon="close"
        label={t("Later. It stays in the recovered edits")}
        onClick={() => recovered.dismiss()}
      />
    </>
  );
  return (
    <Strip level="accent" role="alert" actions={buttons}>
      <strong>
        {isOne
          ? t("Your version of $1 is saved", first.label)
          : t("$1 of your versions are saved", news.length)}
      </strong>{" "}
      {isOne && explainReason(first, translate)}{" "}
      {t("Your text is safe. Compare it with what is on disk, then restore or discard it.")}
    </Strip>
  );
}

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
    <Strip level="warning" actions={<Button onClick={() => connection.retry()}>{t("Try now")}</Button>}>
      <strong>{t(away[state][0])}</strong> {t(away[state][1])}{" "}
      {state === "lost" &&
        agents.length > 0 &&
        t(
          "If $1 still waits for this review, press Ctrl+C once in its terminal, before you type anything else there.",
          agents.join(", "),
        )}
    </Strip>
  );
}

const away = {
  silent: [
    "The companion does not answer.",
    "It is still running, but hangs or has been stopped. What you type stays in this page and is sent when it answers again.",
  ],
  lost: [
    "Disconnected.",
    "The companion cannot be reached. What you type stays in this page and is sent when it is back. The page keeps trying.",
  ],
} as const;
