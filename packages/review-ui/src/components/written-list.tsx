import { useSignal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { WrittenFile } from "../model/api.ts";
import type { WrittenTurn } from "../model/written.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Badge, LineCounts, PathLabel, Time, ViewedMark } from "./labels.tsx";
import { FilterField } from "./waiting-list.tsx";

/** What agents have written without asking and nobody has looked at, by agent and turn, newest first. */
export function WrittenList() {
  const { t, written, frontend } = useReview();
  const filter = useSignal("");
  const count = frontend.written.value.length;
  if (count === 0) return null;
  const wanted = filter.value.trim().toLowerCase();
  const isFitting = ({ label, agent }: WrittenFile) => `${agent} ${label}`.toLowerCase().includes(wanted);
  const turns = written.turns.value.map((turn) => ({ ...turn, files: turn.files.filter(isFitting) }));
  const fitting = turns.filter(({ files }) => files.length > 0);
  return (
    <section class="waiting" aria-labelledby="written-title">
      <div class="waiting-head row">
        <h2 class="section-title" id="written-title">
          {t("Written")} <Badge kind="accent">{count}</Badge>
        </h2>
      </div>
      <FilterField
        count={count}
        text={filter}
        placeholder={t("Filter by file or agent")}
        label={t("Filter the written files")}
      />
      {fitting.length === 0 && <p class="quiet">{t("Nothing fits.")}</p>}
      {fitting.map((turn) => (
        <Group key={turn.id} turn={turn} />
      ))}
    </section>
  );
}

/** Of a turn: the files that fit the filter, and what all of them add up to. */
type FilteredTurn = Omit<WrittenTurn, "files"> & { readonly files: readonly WrittenFile[] };

function Group({ turn: { id, agent, title, at, files, added, removed } }: { readonly turn: FilteredTurn }) {
  return (
    <div>
      <div class="waiting-group row">
        <h3 class="cut-off" id={`written-${id}`}>
          {agent}
        </h3>
        <span class="quiet small">
          <Time at={at} />
        </span>
        <span class="grow" />
        {files.length > 1 && <LineCounts added={added} removed={removed} />}
        {title !== "" && (
          <p class="written-prompt cut-off quiet small" title={safeName(title)}>
            <bdi>{safeName(title)}</bdi>
          </p>
        )}
      </div>
      <ul aria-labelledby={`written-${id}`}>
        {files.map((file) => (
          <li key={file.id}>
            <Item file={file} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Item({ file }: { readonly file: WrittenFile }) {
  const { written, scroll, tabs } = useReview();
  const active = tabs.active.value;
  const isTurn = active?.kind === "written" && active.subject === file.turn;
  const isActive = isTurn && scroll.current.value === file.id;
  return (
    <button
      type="button"
      class="waiting-item item row"
      aria-current={isActive ? "true" : undefined}
      onClick={() => written.open(file)}
    >
      <KindMark file={file} />
      <PathLabel path={file.label} />
      {written.isViewed(file) && <ViewedMark />}
      {file.withheld === undefined && <LineCounts added={file.added} removed={file.removed} />}
    </button>
  );
}

const marks = { added: "A", modified: "M", deleted: "D" } as const;

/** What has become of a file, in one letter. */
export function KindMark({ file }: { readonly file: Pick<WrittenFile, "kind" | "renamedFrom"> }) {
  const { t } = useReview();
  const { kind } = file;
  const name = useRenaming(file) ?? nameKind(kind, t);
  return (
    <span class={`kind kind-${kind}`} role="img" aria-label={name} title={name}>
      {file.renamedFrom === undefined ? marks[kind] : "R"}
    </span>
  );
}

/** What a file was called before; undefined where it has only this name. */
export function useRenaming({ renamedFrom }: Pick<WrittenFile, "renamedFrom">): string | undefined {
  const { t, frontend } = useReview();
  if (renamedFrom === undefined) return undefined;
  return t("renamed from $1", frontend.paths.value.labelPath(renamedFrom, frontend.roots.value));
}

const nameKind = (kind: WrittenFile["kind"], t: Translate): string =>
  t(kind === "added" ? "new file" : kind === "deleted" ? "deleted file" : "changed file");
