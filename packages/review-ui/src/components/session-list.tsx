import { useReview } from "../review-context.ts";
import { Time } from "./time.tsx";

/** The connected CLIs. */
export function SessionList() {
  const { door, connection } = useReview();
  const sessions = door.sessions.value;
  const isKnown = connection.state.value === "open";
  return (
    <section class="panel-section" aria-labelledby="sessions-title">
      <h2 class="section-title" id="sessions-title">
        Connected
      </h2>
      {sessions.length === 0 && <p class="empty-note">No CLI is connected.</p>}
      <ul>
        {sessions.map(({ id, agent, client, connectedAt, streaming }) => (
          <li key={id} class="session">
            <span class={`dot ${streaming && isKnown ? "dot-live" : ""}`} aria-hidden="true" />
            <span class="session-name">{agent}</span>
            <span class="quiet" title={`${client.name} ${client.version}`}>
              {client.version}
            </span>
            <span class="quiet session-state">
              {isKnown ? describe(streaming) : "not known now"} · since <Time at={connectedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe(isStreaming: boolean): string {
  return isStreaming ? "listening" : "its stream is down";
}
