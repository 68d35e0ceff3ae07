import { languageNames, languages } from "../language/language.ts";
import { useReview } from "../review-context.ts";
import { HistoryList } from "./history.tsx";
import { RichText, Time } from "./labels.tsx";
import { EditsList } from "./recovered-edits.tsx";
import { SentContext } from "./sent-context.tsx";

/** The connected agents, their context, recovered edits, the history and the language. */
export function SidePanel({ isOverlay }: { readonly isOverlay: boolean }) {
  const { t } = useReview();
  const className = `side-panel${isOverlay ? " overlay" : ""}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: F6 leads here, and its content scrolls
    <aside class={className} aria-label={t("Companion")} tabIndex={0} data-area>
      <SessionList />
      <SentContext />
      <EditsList />
      <HistoryList />
      <LanguageChoice />
    </aside>
  );
}

/** The connected CLIs. */
export function SessionList() {
  const { t, frontend, connection } = useReview();
  const sessions = frontend.sessions.value;
  const isKnown = connection.state.value === "open";
  return (
    <section class="panel-section" aria-labelledby="sessions-title">
      <h2 class="section-title" id="sessions-title">
        {t("Connected")}
      </h2>
      {sessions.length === 0 && <p class="empty-note">{t("No CLI is connected.")}</p>}
      <ul>
        {sessions.map(({ id, agent, client, connectedAt, streaming }) => (
          <li key={id} class="session">
            <span class={`dot ${streaming && isKnown ? "dot-live" : ""}`} aria-hidden="true" />
            <span class="session-name">{agent}</span>
            <span class="quiet" title={`${client.name} ${client.version}`}>
              {client.version}
            </span>
            <span class="quiet session-state">
              {t(isKnown ? (streaming ? "listening" : "its stream is down") : "unknown")} ·{" "}
              <RichText sentence="since $1" values={[<Time key="time" at={connectedAt} />]} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Selects the language of the page. The page reloads, with the same tabs and edits. */
export function LanguageChoice() {
  const { t, language, controller, chooseLanguage } = useReview();
  return (
    <label class="panel-section language">
      <span class="quiet">{t("Language")}</span>
      <select
        value={language}
        onChange={({ currentTarget }) => {
          const chosen = languageNames.find((name) => name === currentTarget.value);
          if (!chosen) return;
          controller.flushAll();
          chooseLanguage(chosen);
        }}
      >
        {languageNames.map((name) => (
          <option key={name} value={name} lang={name}>
            {languages[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
