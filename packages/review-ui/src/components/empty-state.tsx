import type { AgentChoice } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { RichText } from "./labels.tsx";

/** Instructions while no tab is open. */
export function EmptyState() {
  const { t, frontend } = useReview();
  const agents = frontend.welcome.value?.agents ?? [];
  const sessions = frontend.sessions.value;
  const [root] = frontend.roots.value;
  return (
    <div class="empty">
      <div class="empty-card">
        <h2>{t(sessions.length > 0 ? "Ready to review" : "Waiting for an agent")}</h2>
        {sessions.length > 0 ? (
          <p>
            {t(
              sessions.length > 1
                ? "$1 are connected. Ask for a change: it will open here for you to look through, edit, and accept or reject."
                : "$1 is connected. Ask for a change: it will open here for you to look through, edit, and accept or reject.",
              sessions.map(({ agent }) => agent).join(", "),
            )}
          </p>
        ) : (
          <Start agents={agents} root={root} />
        )}
        <ul class="empty-hints">
          <li>
            <RichText
              sentence="Open a file: the agent receives your cursor and selection with your next prompt. Press $1 to find one by name."
              values={[<kbd key="key">/</kbd>]}
            />
          </li>
          <li>
            {t("Proposed changes open automatically, the oldest first, and never while you are typing.")}
          </li>
          <li>
            <RichText
              sentence="Everything works by keyboard: press $1 for the keys."
              values={[<kbd key="key">?</kbd>]}
            />
          </li>
        </ul>
      </div>
    </div>
  );
}

interface StartProps {
  readonly agents: readonly AgentChoice[];
  readonly root: string | undefined;
}

function Start({ agents, root }: StartProps) {
  const { t } = useReview();
  return (
    <>
      <p>{t("Start an agent CLI in any terminal, in this folder:")}</p>
      {root && <pre class="empty-folder">{root}</pre>}
      {agents.length > 0 && (
        <ul class="empty-commands">
          {agents.map(({ displayName, command, connectCommand }) => (
            <li key={command}>
              <code>{command}</code> <span class="quiet">{displayName}</span>
              <code class="empty-connect quiet">{connectCommand}</code>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">{t("If it does not connect automatically, type the command on the right in it.")}</p>
    </>
  );
}
