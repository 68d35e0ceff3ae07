import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SearchHit } from "../model/api.ts";
import { isOfInputMethod } from "../model/user-focus.ts";
import { useReview } from "../review-context.ts";
import { parseFileQuery } from "../text/paths.ts";
import { FileTree } from "./file-tree.tsx";
import { Icon } from "./icon.tsx";
import { PathLabel } from "./labels.tsx";
import { useAnswer } from "./use-answer.ts";
import { WaitingList } from "./waiting-list.tsx";
import { WrittenList } from "./written-list.tsx";

/** The waiting proposals and the files. */
export function Sidebar({ isOverlay }: { readonly isOverlay: boolean }) {
  const { t, preferences } = useReview();
  const filter = useSignal("");
  return (
    <nav
      class={`sidebar column${isOverlay ? " overlay" : ""}`}
      style={isOverlay ? undefined : { width: `${preferences.widths.sidebar.value}px` }}
      aria-label={t("Waiting proposals and files")}
      tabIndex={isOverlay ? -1 : undefined}
    >
      <div class="lists">
        <WaitingList />
        <WrittenList />
      </div>
      <FileFilter text={filter} />
      {filter.value === "" && <FileTree />}
    </nav>
  );
}

/** Milliseconds without typing before the search starts. */
const pause = 60;

/** Finds files by name while the user types. */
function FileFilter({ text }: { readonly text: Signal<string> }) {
  const { t, api, guide } = useReview();
  const active = useSignal(0);
  /** What Enter was pressed for before its answer had come. */
  const awaited = useSignal<string | undefined>(undefined);
  const { name, line, character } = parseFileQuery(text.value);
  const search = async (signal: AbortSignal) =>
    name === "" ? undefined : { name, hits: await api.search(name, signal) };
  const { answer: found } = useAnswer(search, [name], pause);
  const hits = found?.hits;
  useEffect(() => {
    active.value = 0;
    const isHere = document.activeElement?.id === "file-filter";
    if (found && found.name === awaited.value && isHere) open(found.hits[0], true);
  }, [found]);
  useEffect(() => {
    document.getElementById(`hit-${active.value}`)?.scrollIntoView({ block: "nearest" });
  }, [active.value]);

  const open = (hit: SearchHit | undefined, focus: boolean) => {
    if (!hit) return;
    guide.open(hit.path, line, character, { focus });
    text.value = "";
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOfInputMethod(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) active.value = clamp(active.value + step, hits?.length ?? 0);
    else if (event.key === "Enter" && found?.name !== name) awaited.value = name;
    else if (event.key === "Enter") open(hits?.[active.value], true);
    else if (event.key === "Escape" && text.value !== "") text.value = "";
    else if (event.key === "Escape") document.getElementById("file-tree")?.focus();
    else return;
    event.preventDefault();
  };

  return (
    <div class="filter column">
      <div class="filter-field row quiet">
        <Icon name="search" />
        <input
          id="file-filter"
          type="text"
          role="combobox"
          data-own-escape
          placeholder={t("Find a file, or file:line")}
          aria-label={t("Find a file")}
          aria-expanded={text.value !== ""}
          aria-controls="file-hits"
          aria-autocomplete="list"
          aria-activedescendant={hits && hits.length > 0 ? `hit-${active.value}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            awaited.value = undefined;
          }}
          onKeyDown={onKeyDown}
        />
        <span aria-hidden="true">
          <kbd>/</kbd>
        </span>
      </div>
      {text.value !== "" && <Hits hits={hits} active={active.value} onOpen={(hit) => open(hit, false)} />}
    </div>
  );
}

interface HitsProps {
  readonly hits: readonly SearchHit[] | undefined;
  readonly active: number;
  readonly onOpen: (hit: SearchHit) => void;
}

function Hits({ hits, active, onOpen }: HitsProps) {
  const { t } = useReview();
  if (hits?.length === 0) return <p class="quiet">{t("No file has this name.")}</p>;
  return (
    <div id="file-hits" class="hits grow" role="listbox" aria-label={t("Files found")}>
      {hits?.map((hit, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and takes the keys
        // biome-ignore lint/a11y/useFocusableInteractive: likewise, it points here by aria-activedescendant
        <div
          key={hit.path}
          id={`hit-${index}`}
          class="hit item"
          role="option"
          aria-selected={index === active}
          onClick={() => onOpen(hit)}
        >
          <PathLabel path={hit.label} title={hit.path} />
        </div>
      ))}
    </div>
  );
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}
