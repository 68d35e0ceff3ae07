import { useReview } from "../review-context.ts";
import { safeName } from "../text/safe-name.ts";

/** Characters of the selection that are shown here. */
const previewLength = 400;

/** What the CLIs have been told just now. */
export function ToldContext() {
  const { door } = useReview();
  const files = door.told.value?.context.workspaceState?.openFiles ?? [];
  const active = files.find(({ isActive }) => isActive);
  const others = files.filter((file) => file !== active);
  const { baseName, labelPath } = door.paths.value;
  const label = (path: string) => labelPath(path, door.roots.value);
  return (
    <section class="panel-section" aria-labelledby="told-title">
      <h2 class="section-title" id="told-title">
        What they have been told
      </h2>
      {files.length === 0 && <p class="empty-note">Nothing yet: open a file, and they know which.</p>}
      {active && (
        <div class="told-active">
          <bdi class="told-name" title={safeName(active.path)}>
            {label(active.path)}
          </bdi>
          {active.cursor && (
            <span class="quiet">
              line {active.cursor.line}, character {active.cursor.character}
            </span>
          )}
          {active.selectedText && <Selection text={active.selectedText} />}
        </div>
      )}
      {others.length > 0 && (
        <>
          <h3 class="subtitle">{active ? "Also open" : "Open"}</h3>
          <ul class="told-others">
            {others.map(({ path }) => (
              <li key={path} title={safeName(path)}>
                <bdi>{baseName(path)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Selection({ text }: { readonly text: string }) {
  const rest = text.length - previewLength;
  return (
    <figure class="told-selection">
      <figcaption class="quiet">{text.length.toLocaleString("en")} characters selected</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="told-text" aria-label="Selected text" tabIndex={0}>
        <pre>
          {text.slice(0, previewLength)}
          {rest > 0 && "…"}
        </pre>
      </section>
    </figure>
  );
}
