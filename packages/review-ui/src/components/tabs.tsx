import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AgentChoice, HistoryEntry } from "../model/api.ts";
import type { Review } from "../model/review.ts";
import type { Tab } from "../model/tabs.ts";
import { useReview } from "../review-context.ts";
import { safeName, tabFolders } from "../text/paths.ts";
import { FileView } from "./file-view.tsx";
import { Icon } from "./icon.tsx";
import { Badge, CutText, RichText } from "./labels.tsx";
import { ProposalView } from "./proposal-view.tsx";
import { HistoryView, RecoveredView } from "./stored-text.tsx";
import { WaitingView } from "./waiting-view.tsx";
import { WrittenView } from "./written-view.tsx";

/** The open files and proposals. */
export function TabBar() {
  const review = useReview();
  const { t, tabs, controller, frontend } = review;
  const list = useRef<HTMLDivElement>(null);
  const active = tabs.active.value;
  const isEmpty = tabs.list.value.length === 0;
  // Names come late, other tabs come and go, and the panels take width.
  useEffect(() => {
    const bar = list.current;
    if (!bar) return;
    const show = () =>
      bar.querySelector(".tab-active")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const observer = new ResizeObserver(show);
    for (const element of [bar, ...bar.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [isEmpty, active?.id, tabs.list.value.length]);
  if (isEmpty) return null;
  const shown = tabs.list.value.map((tab) => ({ tab, text: describeTab(tab, review) }));
  const paths = new Set(shown.flatMap(({ text }) => text.path ?? []));
  const folders = tabFolders([...paths], frontend.paths.value.names);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowRight: 1, ArrowLeft: -1 } as const)[event.key];
    if (step !== undefined) tabs.step(step);
    else if (event.key !== "Delete" || !active) return;
    else if (!event.repeat) controller.dismiss(active);
    event.preventDefault();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  return (
    <div class="tab-strip">
      <div
        ref={list}
        class="tab-bar row"
        role="tablist"
        aria-label={t("Open files and proposals")}
        onKeyDown={onKeyDown}
      >
        {shown.map(({ tab, text }) => (
          <TabButton
            key={tab.id}
            {...{ tab, text }}
            isActive={tab.id === active?.id}
            folder={folders.get(text.path ?? "")}
          />
        ))}
      </div>
    </div>
  );
}

interface TabText {
  /** Of the file, where it shows a single one. */
  readonly path?: string;
  readonly name: string;
  readonly title: string;
  /** Distinguishes a proposal from a file. */
  readonly mark?: string;
}

/** What a tab says of what it shows, which may be there no more. */
function describeTab({ kind, subject }: Tab, review: Review): TabText {
  const { t, frontend, recovered, written, waiting } = review;
  if (kind === "written") {
    const turn = written.find(subject);
    const prompt = safeName(turn?.title || turn?.agent || "?");
    // Its beginning tells it from others.
    const name = prompt.length > 24 ? `${prompt.slice(0, 23)}…` : prompt;
    return { name, title: turn ? `${turn.agent}: ${prompt}` : prompt, mark: t("written") };
  }
  if (kind === "waiting") {
    const name = waiting.group(subject)?.agent ?? t("Waiting");
    return { name, title: name, mark: "±" };
  }
  const { baseName } = frontend.paths.value;
  if (kind === "file") return { path: subject, name: baseName(subject), title: safeName(subject) };
  const lists = { recovered: recovered.list, history: frontend.history, proposal: frontend.proposals };
  const list: readonly Pick<HistoryEntry, "id" | "filePath" | "label" | "agent">[] = lists[kind].value;
  const { filePath: path, label = "?", agent = "?" } = list.find(({ id }) => id === subject) ?? {};
  const texts = {
    recovered: { title: t("Your version of $1", label), mark: t("recovered") },
    history: { title: t("History of $1", label), mark: t("past") },
    proposal: { title: t("$1 proposes a change of $2", agent, label), mark: "±" },
  };
  return { ...(path !== undefined && { path }), name: baseName(label), ...texts[kind] };
}

interface TabButtonProps {
  readonly tab: Tab;
  readonly text: TabText;
  readonly isActive: boolean;
  /** Distinguishes it from other files of the same name. */
  readonly folder: string | undefined;
}

function TabButton({ tab, text: { name, title, mark }, isActive, folder }: TabButtonProps) {
  const { t, tabs, controller } = useReview();
  const dismiss = () => controller.dismiss(tab);
  return (
    <div class={`tab row${isActive ? " tab-active" : ""}`} role="presentation">
      <button
        type="button"
        class="tab-button row"
        role="tab"
        id={`tab-${idPart(tab)}`}
        aria-selected={isActive}
        aria-controls={`panel-${idPart(tab)}`}
        aria-keyshortcuts="Delete"
        tabIndex={isActive ? 0 : -1}
        title={title}
        onClick={() => tabs.activate(tab.id)}
        onAuxClick={(event) => {
          if (event.button === 1) dismiss();
        }}
      >
        {mark && <Badge kind="accent">{mark}</Badge>}
        <CutText text={name} />
        {folder !== undefined && <bdi class="tab-folder quiet">{folder}</bdi>}
      </button>
      {/* For the mouse only: a tab list must contain nothing but tabs. The Delete key closes one. */}
      <span class="icon-button tab-close" title={t("Close $1", name)} aria-hidden="true" onClick={dismiss}>
        <Icon name="close" />
      </span>
    </div>
  );
}

/** For ids of elements: what refers to them separates them by spaces. */
const idPart = ({ id }: Tab) => id.replace(/\s/g, (space) => `%${space.charCodeAt(0)}`);

/** The content of the tabs. It is drawn when a tab is first active, and stays with its scroll position and undo history. */
export function TabPanels() {
  const { tabs } = useReview();
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const active = tabs.active.value;
  const list = tabs.list.value;
  if (active && !seen.peek().has(active.id)) seen.value = new Set([...seen.peek(), active.id]);
  if (list.length === 0) return <EmptyState />;
  return (
    <div class="panels grow">
      {list
        .filter(({ id }) => seen.value.has(id) || id === active?.id)
        .map((tab) => (
          <div
            key={tab.id}
            id={`panel-${idPart(tab)}`}
            class="panel column"
            role="tabpanel"
            aria-labelledby={`tab-${idPart(tab)}`}
            hidden={tab.id !== active?.id}
          >
            <TabContent tab={tab} isActive={tab.id === active?.id} />
          </div>
        ))}
    </div>
  );
}

function TabContent({ tab, isActive }: { readonly tab: Tab; readonly isActive: boolean }) {
  if (tab.kind === "file") return <FileView path={tab.subject} isActive={isActive} />;
  if (tab.kind === "recovered") return <RecoveredView id={tab.subject} />;
  if (tab.kind === "history") return <HistoryView id={tab.subject} />;
  if (tab.kind === "written") return <WrittenView id={tab.subject} isActive={isActive} />;
  if (tab.kind === "waiting") return <WaitingView id={tab.subject} isActive={isActive} />;
  return <ProposalView id={tab.subject} isActive={isActive} />;
}

/** Instructions while no tab is open. */
function EmptyState() {
  const { t, frontend } = useReview();
  const agents = frontend.welcome.value?.agents ?? [];
  const sessions = frontend.sessions.value;
  const [root] = frontend.roots.value;
  return (
    <div class="empty grow">
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
        <ul class="empty-hints quiet">
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
      {root && <pre class="empty-folder quiet">{root}</pre>}
      {agents.length > 0 && (
        <ul class="empty-commands lined">
          {agents.map(({ displayName, command, connectCommand }) => (
            <li key={command}>
              <code>{command}</code> <span class="quiet">{displayName}</span>
              <code class="empty-connect quiet">{connectCommand}</code>
            </li>
          ))}
        </ul>
      )}
      {agents.length > 0 && (
        <p class="quiet">
          {t(
            "Restart one that is already running. If it does not connect automatically, type the command on the right in it.",
          )}
        </p>
      )}
    </>
  );
}
