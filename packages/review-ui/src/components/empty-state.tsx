import { useReview } from "../review-context.ts";

/** What to do when nothing is open yet. */
export function EmptyState() {
  const { door } = useReview();
  const agents = door.welcome.value?.agents ?? [];
  const sessions = door.sessions.value;
  const [root] = door.roots.value;
  return (
    <div class="empty">
      <div class="empty-card">
        <h2>{sessions.length > 0 ? "Ready to review" : "Waiting for an agent"}</h2>
        {sessions.length > 0 ? (
          <p>
            {sessions.map(({ agent }) => agent).join(", ")} {sessions.length > 1 ? "are" : "is"} connected.
            Ask for a change: it will open here for you to look through, edit, and accept or reject.
          </p>
        ) : (
          <Start agents={agents} root={root} />
        )}
        <ul class="empty-hints">
          <li>
            Open a file on the left: your cursor and selection are what the agent is told. Press <kbd>/</kbd>{" "}
            to find one by name.
          </li>
          <li>Proposed changes open by themselves, the oldest first, and never while you are typing.</li>
          <li>
            Everything works by keyboard: press <kbd>?</kbd> for the keys.
          </li>
        </ul>
      </div>
    </div>
  );
}

interface StartProps {
  readonly agents: readonly { readonly displayName: string; readonly command: string }[];
  readonly root: string | undefined;
}

function Start({ agents, root }: StartProps) {
  return (
    <>
      <p>Start an agent CLI in any terminal, in this folder:</p>
      {root && <pre class="empty-folder">{root}</pre>}
      {agents.length > 0 && (
        <ul class="empty-commands">
          {agents.map(({ displayName, command }) => (
            <li key={command}>
              <code>{command}</code> <span class="quiet">{displayName}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        It connects by itself; where it does not, <code>/ide enable</code> inside of it does.
      </p>
    </>
  );
}
