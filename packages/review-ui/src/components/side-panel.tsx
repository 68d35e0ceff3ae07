import { reviewModeMeanings } from "../../../companion/src/core/sentences.ts";
import { languageNames, languages } from "../language/language.ts";
import { assign, codeSizes } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Button } from "./button.tsx";
import { PanelSection, RichText, Time } from "./labels.tsx";
import { StoredLists } from "./stored-lists.tsx";

/** The connected agents, their context, recovered edits, the history and the language. */
export function SidePanel({ isOverlay }: { readonly isOverlay: boolean }) {
  const { t, preferences } = useReview();
  const style = isOverlay ? undefined : { width: `${preferences.widths.panel.value}px` };
  const className = `side-panel${isOverlay ? " overlay" : ""}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: F6 leads here, and its content scrolls
    <aside class={className} style={style} aria-label={t("Companion")} tabIndex={0} data-area>
      <SessionList />
      <ReviewModes />
      <SentContext />
      <StoredLists />
      <CodeSizeChoice />
      <LanguageChoice />
    </aside>
  );
}

/** The connected CLIs. */
function SessionList() {
  const { t, frontend, connection, references } = useReview();
  const sessions = frontend.sessions.value;
  const isKnown = connection.state.value === "open";
  return (
    <PanelSection id="sessions-title" title={t("Connected")}>
      {sessions.length === 0 && <p class="quiet">{t("No CLI is connected.")}</p>}
      <ul>
        {sessions.map(({ id, agent, client, connectedAt, streaming }) => (
          <li key={id} class="session">
            <span class={`dot ${streaming && isKnown ? "dot-live" : ""}`} aria-hidden="true" />
            <span class="emphasis">{agent}</span>
            <span class="quiet" title={`${client.name} ${client.version}`}>
              {client.version}
            </span>
            <span class="quiet small session-state">
              {t(isKnown ? (streaming ? "listening" : "its stream is down") : "unknown")} ·{" "}
              <RichText sentence="since $1" values={[<Time key="time" at={connectedAt} />]} />
            </span>
          </li>
        ))}
      </ul>
      {(sessions.length > 0 || references.words.value !== "") && <PromptForm />}
    </PanelSection>
  );
}

/** Puts words of the user into the prompt of an agent. */
function PromptForm() {
  const { t, references } = useReview();
  const { words, sendWords } = references;
  return (
    <form
      class="prompt-form column"
      onSubmit={(event) => {
        event.preventDefault();
        sendWords();
      }}
    >
      <textarea
        class="comment-field"
        rows={2}
        placeholder={t("A text for the agent’s prompt")}
        aria-label={t("A text for the agent’s prompt")}
        value={words.value}
        onInput={(event) => assign(words, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          sendWords();
        }}
      />
      <Button type="submit" disabled={words.value.trim() === ""}>
        {t("Put into the prompt")}
      </Button>
    </form>
  );
}

/** What a mode is called. */
const modeNames = { before: "Before", after: "After", off: "Off" } as const;

/** When the user looks at what agents write: what counts, and what else may. */
function ReviewModes() {
  const { t, translate, frontend, connection, setReviewMode } = useReview();
  const counting = frontend.status.value.review;
  const isMixed = counting.length > 1;
  if (counting.length === 0) return null;
  return (
    <PanelSection id="review-title" title={t("Review what agents write")}>
      <fieldset class="tool-group choice" aria-labelledby="review-title">
        {(["before", "after", "off"] as const).map((mode) => (
          <Button
            key={mode}
            aria-pressed={counting.some((one) => one.mode === mode) && (isMixed ? "mixed" : true)}
            disabled={connection.state.value !== "open"}
            onClick={() => setReviewMode(mode)}
          >
            {t(modeNames[mode])}
          </Button>
        ))}
      </fieldset>
      {counting.map(({ mode, agents }) => (
        <p key={mode} class="quiet">
          {isMixed
            ? `${t(modeNames[mode])}: ${agents.join(", ")}`
            : t("Each agent $1.", translate(reviewModeMeanings[mode]))}
        </p>
      ))}
    </PanelSection>
  );
}

/** Selects the language of the page. The page reloads, with the same tabs and edits. */
function LanguageChoice() {
  const { t, language, controller, chooseLanguage } = useReview();
  return (
    <label class="panel-section setting row">
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

function CodeSizeChoice() {
  const { t, preferences } = useReview();
  const { codeSize } = preferences;
  return (
    <label class="panel-section setting row">
      <span class="quiet">{t("Size of the code")}</span>
      <select
        value={codeSize.value}
        onChange={({ currentTarget }) => assign(codeSize, Number(currentTarget.value))}
      >
        {codeSizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The length of the selection's preview, in UTF-16 units. */
const previewLength = 400;

/** The context that agents received last. */
function SentContext() {
  const { t, frontend, pauseSharing } = useReview();
  const { paused, excluded, context } = frontend.status.value;
  const { files } = context;
  const active = files.find(({ isActive }) => isActive);
  const others = files.filter((file) => file !== active);
  const { labelPath } = frontend.paths.value;
  const label = (path: string) => labelPath(path, frontend.roots.value);
  return (
    <PanelSection id="sent-title" title={t("Last sent to agents")}>
      {paused && (
        <p class="quiet">
          <strong>{t("Sharing paused")}.</strong>{" "}
          {t("Agents receive nothing about your files until you resume sharing.")}
        </p>
      )}
      {files.length === 0 && !paused && <p class="quiet">{t("Nothing yet. Open a file to share it.")}</p>}
      {active && (
        <div class="column">
          <bdi class="emphasis" title={safeName(active.path)}>
            {label(active.path)}
          </bdi>
          {active.cursor && (
            <span class="quiet">
              {t("line $1, character $2", active.cursor.line, active.cursor.character)}
            </span>
          )}
          {active.selectedText && <Selection text={active.selectedText} />}
        </div>
      )}
      <PathList title={t(active ? "Also open" : "Open")} paths={others.map(({ path }) => path)} />
      <PathList title={t("Not shared with agents")} paths={excluded} />
      <Button class="button sent-pause" onClick={() => pauseSharing(!paused)}>
        {t(paused ? "Resume sharing" : "Pause sharing")}
      </Button>
    </PanelSection>
  );
}

function PathList({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  const { baseName } = useReview().frontend.paths.value;
  if (paths.length === 0) return null;
  return (
    <>
      <h3 class="subtitle quiet small">{title}</h3>
      <ul>
        {paths.map((path) => (
          <li key={path} class="cut-off" title={safeName(path)}>
            <bdi>{baseName(path)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

function Selection({ text }: { readonly text: string }) {
  const { t, language } = useReview();
  const rest = text.length - previewLength;
  return (
    <figure class="sent-selection">
      <figcaption class="quiet">
        {text.length === 1
          ? t("1 character selected")
          : t("$1 characters selected", text.length.toLocaleString(language))}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="sent-text" aria-label={t("Selected text")} tabIndex={0}>
        <pre>
          {text.slice(0, previewLength)}
          {rest > 0 && "…"}
        </pre>
      </section>
    </figure>
  );
}
