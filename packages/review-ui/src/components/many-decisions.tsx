import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { toStopPatterns } from "../../../companion/src/core/waiting-groups.ts";
import type { ProposalSummary, Turn } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { isBlocked, type TurnQuestion, type WaitingQuestion } from "../model/waiting.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Strip } from "./diff-strips.tsx";
import { Badge, LineCounts, PathLabel } from "./labels.tsx";
import { ModalDialog } from "./modal-dialog.tsx";

/** Asks about several changes at once. */
export function ManyDecisions() {
  const { t, waiting } = useReview();
  const question = waiting.question.value;
  if (!question) return null;
  if (!("run" in question)) return <AboutWaiting question={question} />;
  return (
    <QuestionDialog title={question.title} kind="primary" changes={question.changes}>
      <p>{t("What has changed elsewhere in these files stays. Files that a change has made are deleted.")}</p>
    </QuestionDialog>
  );
}

function AboutWaiting({ question: { decision, proposals, turn } }: { readonly question: WaitingQuestion }) {
  const { t } = useReview();
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
    <QuestionDialog
      title={title}
      kind={isAccepting ? "primary" : "danger"}
      changes={proposals}
      stopAt={() => (isAhead.value ? toStopPatterns(stopAt.value) : undefined)}
    >
      {blocked.length > 0 && (
        <p>
          {t(
            "These wait for you, because their files have changed on disk: $1.",
            blocked.map(({ label }) => label).join(", "),
          )}
        </p>
      )}
      {isAccepting && unseen > 0 && (
        <p>{t("You have not looked at $1 of $2 files.", unseen, proposals.length)}</p>
      )}
      {edited.length > 0 && (
        <p>
          {t(
            isAccepting
              ? "With your edits, as you see them: $1."
              : "Your edits are rejected as well, and the history keeps them: $1.",
            edited.map(({ label }) => label).join(", "),
          )}
        </p>
      )}
      {turn && (
        <fieldset class="many-ahead column">
          <label class="row">
            <input
              type="checkbox"
              checked={isAhead.value}
              onChange={(event) => assign(isAhead, event.currentTarget.checked)}
            />
            {t("Also accept what $1 still proposes in this turn", turn.agent)}
          </label>
          {isAhead.value && (
            <>
              <label class="many-stop row">
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
    </QuestionDialog>
  );
}

interface QuestionDialogProps {
  /** What its button does. */
  readonly title: string;
  readonly kind: "primary" | "danger";
  readonly changes: readonly (TurnQuestion["changes"][number] &
    Partial<Pick<ProposalSummary, "edited" | "seen">>)[];
  /** Where accepting ahead stops; undefined where nothing is accepted ahead. */
  readonly stopAt?: () => readonly string[] | undefined;
  /** What else is to be said, or asked. */
  readonly children: ComponentChildren;
}

/** A question about several changes, which it names. */
function QuestionDialog({ title, kind, changes, stopAt, children }: QuestionDialogProps) {
  const { t, waiting } = useReview();
  const onSubmit = (event: Event) => {
    event.preventDefault();
    waiting.confirm(stopAt?.());
  };
  return (
    <ModalDialog class="many" labelledBy="question" onLeave={waiting.cancel}>
      <form class="column" onSubmit={onSubmit}>
        <h2 id="question">{title}</h2>
        <ul class="many-list lined">
          {changes.map(({ id, agent, label, added, removed, edited = false, seen = true }) => (
            <li key={id} class="row">
              <PathLabel path={label} title={`${agent}: ${label}`} />
              {!seen && <Badge>{t("not looked at")}</Badge>}
              {edited && <Badge kind="warning">{t("edited by you")}</Badge>}
              <LineCounts added={added} removed={removed} />
            </li>
          ))}
        </ul>
        {children}
        <div class="many-buttons row">
          <Button onClick={waiting.cancel}>{t("Cancel")}</Button>
          <Button type="submit" kind={kind}>
            {title}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}

/** A button that does something about all of a turn, after a question that shows the changes. */
export function TurnButton({ label, ...question }: TurnQuestion & { readonly label: string }) {
  const { waiting } = useReview();
  return <Button onClick={() => assign(waiting.question, question)}>{label}</Button>;
}

/** Undoes all accepted changes of a turn, where there are several. */
export function UndoTurn({ turn }: { readonly turn: string }) {
  const { t, frontend, own } = useReview();
  const entries = frontend.history.value.filter(
    (entry) => entry.turn === turn && entry.outcome === "accepted" && entry.later !== "undone",
  );
  if (entries.length < 2) return null;
  const run = () => own.rewrite("undo", entries.toReversed());
  const title = t("Undo $1 changes", entries.length);
  return <TurnButton label={t("Undo the turn …")} title={title} changes={entries} run={run} />;
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

function AheadBanner({ turn }: { readonly turn: Turn }) {
  const { t, waiting } = useReview();
  const { agent, ahead = { accepted: 0, stopAt: [] } } = turn;
  return (
    <Strip
      level="accent"
      role="status"
      actions={<Button onClick={() => waiting.stop(turn)}>{t("Stop")}</Button>}
    >
      <strong>{t("What $1 proposes in this turn is accepted without you.", agent)}</strong>{" "}
      {t("$1 accepted so far.", ahead.accepted)}{" "}
      {ahead.stopAt.length > 0 && t("Waiting for you: $1", ahead.stopAt.join(", "))}
    </Strip>
  );
}
