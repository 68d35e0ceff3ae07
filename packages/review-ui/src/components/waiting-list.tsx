import { type Signal, useSignal } from "@preact/signals";
import { progressOf } from "../../../companion/src/core/waiting-groups.ts";
import type { ProposalSummary } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { isOfInputMethod } from "../model/user-focus.ts";
import type { WaitingGroup } from "../model/waiting.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Badge, LineCounts, PathLabel, ViewedMark } from "./labels.tsx";

/** The proposals that wait for a decision, by agent and turn, oldest first. */
export function WaitingList() {
  const { t, frontend, waiting } = useReview();
  const count = frontend.proposals.value.length;
  if (count === 0) return null;
  const groups = waiting.groups.value;
  return (
    <section class="waiting" aria-labelledby="waiting-title">
      <div class="waiting-head row">
        <h2 class="section-title" id="waiting-title">
          {t("Waiting")} <Badge kind="accent">{count}</Badge>
        </h2>
        {count > 1 && (
          <span class="waiting-all row">
            <Button
              kind="quiet"
              title={t("All waiting changes in one scroll ($1)", "a")}
              onClick={() => waiting.openScroll()}
            >
              {t("Show all")}
            </Button>
            <Button kind="quiet" onClick={() => waiting.ask("reject")}>
              {t("Reject all …")}
            </Button>
            <Button kind="quiet" onClick={() => waiting.ask("accept")}>
              {t("Accept all …")}
            </Button>
          </span>
        )}
      </div>
      <FilterField
        count={count}
        text={waiting.filter}
        placeholder={t("Filter by file or agent")}
        label={t("Filter the waiting changes")}
      />
      {groups.length === 0 && <p class="quiet">{t("Nothing fits.")}</p>}
      {groups.map((group) => (
        <Group key={group.key} group={group} />
      ))}
    </section>
  );
}

/** From so many entries on, a list has a field that filters it. */
const manyEntries = 6;

interface FilterFieldProps {
  /** Of entries. The field also stays as long as the user is in it. */
  readonly count: number;
  readonly text: Signal<string>;
  readonly placeholder: string;
  readonly label: string;
}

/** A field that filters a list. Escape empties it, and leaves it when it is empty. */
export function FilterField({ count, text, placeholder, label }: FilterFieldProps) {
  const hasFocus = useSignal(false);
  if (count < manyEntries && text.value === "" && !hasFocus.value) return null;
  return (
    <input
      class="list-filter"
      type="text"
      data-own-escape
      placeholder={placeholder}
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      value={text.value}
      onFocus={() => assign(hasFocus, true)}
      onBlur={() => assign(hasFocus, false)}
      onInput={(event) => assign(text, event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isOfInputMethod(event)) return;
        if (text.value === "") document.getElementById("main")?.focus();
        text.value = "";
        event.preventDefault();
      }}
    />
  );
}

function Group({ group }: { readonly group: WaitingGroup }) {
  const { t, waiting } = useReview();
  const { key, agent, turn, proposals } = group;
  const { decided, total } = progressOf(group);
  const progress = t("$1 of $2 decided", decided, total);
  return (
    <section aria-labelledby={`waiting-${key}`}>
      <div class="waiting-group row">
        <h3 class="cut-off" id={`waiting-${key}`}>
          {agent}
        </h3>
        {total > 1 && (
          <>
            <progress class="waiting-progress" value={decided} max={total} aria-label={progress} />
            <span class="quiet small" title={progress} aria-hidden="true">
              {t("$1 of $2", decided, total)}
            </span>
          </>
        )}
        {proposals.length > 1 && (
          <Button
            kind="quiet"
            title={t("All that $1 proposes in one scroll", agent)}
            onClick={() => waiting.openScroll(key)}
          >
            {t("Show all")}
          </Button>
        )}
        {(turn || proposals.length > 1) && (
          <Button
            kind="quiet"
            title={t("Accept the rest of what $1 proposes", agent)}
            onClick={() => waiting.ask("accept", group)}
          >
            {t("Accept rest …")}
          </Button>
        )}
      </div>
      <ul>
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <Item proposal={proposal} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item({ proposal }: { readonly proposal: ProposalSummary }) {
  const { id, label, added, removed, edited, seen } = proposal;
  const { t, controller, tabs, scroll, frontend } = useReview();
  const ofFile = frontend.proposals.value.filter(({ filePath }) => filePath === proposal.filePath).length;
  const active = tabs.active.value;
  const isActive =
    active?.kind === "waiting"
      ? scroll.current.value === id
      : active?.kind === "proposal" && active.subject === id;
  return (
    <button
      type="button"
      class="waiting-item item row"
      aria-current={isActive ? "true" : undefined}
      onClick={() => controller.open(id)}
    >
      {!seen && <span class="dot unseen" role="img" aria-label={t("not looked at")} />}
      <PathLabel path={label} />
      {controller.find(id)?.isViewed && <ViewedMark />}
      {ofFile > 1 && (
        <Badge kind="warning" title={t("$1 changes of this file wait", ofFile)}>
          {ofFile}×
        </Badge>
      )}
      {edited && <Badge>{t("edited")}</Badge>}
      <LineCounts added={added} removed={removed} />
    </button>
  );
}
