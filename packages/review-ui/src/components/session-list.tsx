import { useReview } from "../review-context.ts";
import { Time } from "./time.tsx";
import { Worded } from "./worded.tsx";

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
              <Worded sentence="since $1" values={[<Time key="time" at={connectedAt} />]} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
