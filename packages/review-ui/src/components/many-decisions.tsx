import { useSignal } from "@preact/signals";
import { toStopPatterns } from "../../../companion/src/core/waiting-groups.ts";
import type { TurnSummary } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { isBlocked, type Question } from "../model/waiting.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Badge, LineCounts, PathLabel } from "./labels.tsx";
import { ModalDialog } from "./modal-dialog.tsx";

/** Asks about several proposals at once. */
export function ManyDecisions() {
  const { waiting } = useReview();
  const question = waiting.question.value;
  return (
    <ModalDialog
      isOpen={question !== undefined}
      class="sheet many"
      labelledBy="many-title"
      onLeave={() => waiting.cancel()}
    >
      {question && <Form question={question} />}
    </ModalDialog>
  );
}

function Form({ question: { decision, proposals, turn } }: { readonly question: Question }) {
  const { t, waiting } = useReview();
  const isAhead = useSignal(false);
  const stopAt = useSignal("");
  const isAccepting = decision === "accept";
  const edited = proposals.filter((one) => one.edited);
  const blocked = isAccepting ? proposals.filter(isBlocked) : [];
  const unseen = proposals.filter((one) => !one.seen).length;
  const count = proposals.length - blocked.length;
  const titles = isAccepting
    ? ({ one: "Accept 1 change", many: "Accept $1 changes" } as const)
    : ({ one: "Reject 1 change", many: "Reject $1 changes" } as const);
  const title = t(count === 1 ? titles.one : titles.many, count);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        waiting.confirm(isAhead.value ? toStopPatterns(stopAt.value) : undefined);
      }}
    >
      <h2 id="many-title">{title}</h2>
      <ul class="many-list">
        {proposals.map(({ id, agent, label, added, removed, edited: isEdited, seen }) => (
          <li key={id}>
            <PathLabel path={label} title={`${agent}: ${label}`} />
            {!seen && <Badge>{t("not looked at")}</Badge>}
            {isEdited && <Badge kind="warning">{t("edited by you")}</Badge>}
            <LineCounts added={added} removed={removed} />
          </li>
        ))}
      </ul>
      {blocked.length > 0 && (
        <p class="many-edited">
          {t(
            "These wait for you, because their files have changed on disk: $1.",
            blocked.map(({ label }) => label).join(", "),
          )}
        </p>
      )}
      {isAccepting && unseen > 0 && (
        <p class="many-edited">{t("You have not looked at $1 of $2 files.", unseen, proposals.length)}</p>
      )}
      {edited.length > 0 && (
        <p class="many-edited">
          {t(
            isAccepting
              ? "With your edits, as you see them: $1."
              : "Your edits are rejected as well, and the history keeps them: $1.",
            edited.map(({ label }) => label).join(", "),
          )}
        </p>
      )}
      {turn && (
        <fieldset class="many-ahead">
          <label>
            <input
              type="checkbox"
              checked={isAhead.value}
              onChange={(event) => assign(isAhead, event.currentTarget.checked)}
            />
            {t("Also accept what $1 still proposes in this turn", turn.agent)}
          </label>
          {isAhead.value && (
            <>
              <label class="many-stop">
                {t("Stop at files that match")}
                <input
                  type="text"
                  data-own-escape
                  placeholder="*.sql, migrations/"
                  autocomplete="off"
                  spellcheck={false}
                  value={stopAt.value}
                  onInput={(event) => assign(stopAt, event.currentTarget.value)}
                />
              </label>
              <p class="quiet">
                {t(
                  "It ends with the turn, when you reject a change or decide in the terminal, and when you stop it. Files outside your folders, ignored by git or kept from agents wait for you.",
                )}
              </p>
            </>
          )}
        </fieldset>
      )}
      <div class="many-buttons">
        <Button onClick={() => waiting.cancel()}>{t("Cancel")}</Button>
        <Button type="submit" kind={isAccepting ? "primary" : "danger"}>
          {title}
        </Button>
      </div>
    </form>
  );
}

/** Shows that the rest of a turn is being accepted, for as long as it is. */
export function AheadBanners() {
  const { frontend } = useReview();
  return (
    <>
      {frontend.turns.value
        .filter(({ ahead }) => ahead !== undefined)
        .map((turn) => (
          <AheadBanner key={turn.id} turn={turn} />
        ))}
    </>
  );
}

function AheadBanner({ turn }: { readonly turn: TurnSummary }) {
  const { t, waiting } = useReview();
  const { agent, ahead = { accepted: 0, stopAt: [] } } = turn;
  return (
    <div class="banner banner-ahead" role="status">
      <Icon name="check" />
      <p>
        <strong>{t("What $1 proposes in this turn is accepted without you.", agent)}</strong>{" "}
        {t("$1 accepted so far.", ahead.accepted)}{" "}
        {ahead.stopAt.length > 0 && t("Waiting for you: $1", ahead.stopAt.join(", "))}
      </p>
      <Button onClick={() => waiting.stop(turn)}>{t("Stop")}</Button>
    </div>
  );
}
