import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";

/** The length of the selection's preview, in UTF-16 units. */
const previewLength = 400;

/** The context that agents received last. */
export function SentContext() {
  const { t, frontend, pauseSharing } = useReview();
  const { paused = false, excluded = [] } = frontend.sentContext.value ?? {};
  const files = frontend.sentContext.value?.context.files ?? [];
  const active = files.find(({ isActive }) => isActive);
  const others = files.filter((file) => file !== active);
  const { baseName, labelPath } = frontend.paths.value;
  const label = (path: string) => labelPath(path, frontend.roots.value);
  return (
    <section class="panel-section" aria-labelledby="sent-title">
      <h2 class="section-title" id="sent-title">
        {t("Last sent to agents")}
      </h2>
      {paused && (
        <p class="empty-note">
          <strong>{t("Sharing paused")}.</strong>{" "}
          {t("Agents receive nothing about your files until you resume sharing.")}
        </p>
      )}
      {files.length === 0 && !paused && (
        <p class="empty-note">{t("Nothing yet. Open a file to share it.")}</p>
      )}
      {active && (
        <div class="sent-active">
          <bdi class="sent-name" title={safeName(active.path)}>
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
      {others.length > 0 && (
        <>
          <h3 class="subtitle">{t(active ? "Also open" : "Open")}</h3>
          <ul class="sent-others">
            {others.map(({ path }) => (
              <li key={path} title={safeName(path)}>
                <bdi>{baseName(path)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {excluded.length > 0 && (
        <>
          <h3 class="subtitle">{t("Not shared with agents")}</h3>
          <ul class="sent-others">
            {excluded.map((path) => (
              <li key={path} title={safeName(path)}>
                <bdi>{baseName(path)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      <button type="button" class="button sent-pause" onClick={() => pauseSharing(!paused)}>
        {t(paused ? "Resume sharing" : "Pause sharing")}
      </button>
    </section>
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
