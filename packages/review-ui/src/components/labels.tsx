import type { ComponentChildren } from "preact";
import type { Language, Sentence } from "../language/language.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Icon } from "./icon.tsx";

/**
 * A name or path in one row, cut in the middle where it is too long: its end tells it from others.
 * @param end characters that stay
 */
export function CutText({ text, end = 14 }: { readonly text: string; readonly end?: number }) {
  if (text.length <= end + 10) return <bdi>{text}</bdi>;
  const at = text.length - end;
  return (
    <span class="cut">
      <bdi class="visually-hidden">{text}</bdi>
      <span class="cut-start" aria-hidden="true">
        <bdi>{text.slice(0, at)}</bdi>
      </span>
      <span class="cut-end" aria-hidden="true">
        <bdi>{text.slice(at)}</bdi>
      </span>
    </span>
  );
}

/** A path with an emphasised name and a folder that shrinks first. */
export function PathLabel({ path, title }: { readonly path: string; readonly title?: string }) {
  const { baseName, folderPart } = useReview().frontend.paths.value;
  return (
    <span class="path" title={safeName(title ?? path)}>
      <span class="path-name">
        <CutText text={baseName(path)} />
      </span>{" "}
      <bdi class="path-folder cut-off quiet small">{folderPart(path)}</bdi>
    </span>
  );
}

/** Of a file that its user has marked. */
export function ViewedMark() {
  const { t } = useReview();
  return (
    <span role="img" aria-label={t("Viewed")} title={t("Viewed")}>
      <Icon name="check" />
    </span>
  );
}

/** `+12 −3`; nothing until the lines are counted. */
export function LineCounts({ added, removed }: { added?: number | undefined; removed?: number | undefined }) {
  const { t } = useReview();
  if (added === undefined || removed === undefined) return null;
  const sentence = t("$1 lines added, $2 removed", added, removed);
  return (
    <span class="counts" role="img" aria-label={sentence} title={sentence}>
      <span class="count-added">+{added}</span> <span class="count-removed">−{removed}</span>
    </span>
  );
}

/** @param at milliseconds since 1970 */
export function Time({ at }: { readonly at: number }) {
  const { language } = useReview();
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const { time, day, whole } = formatsIn(language);
  return (
    <time dateTime={date.toISOString()} title={whole.format(date)}>
      {(isToday ? time : day).format(date)}
    </time>
  );
}

/** Making a format takes longer than a whole history's use of it. A page has one language. */
const formats = new Map<Language, Readonly<Record<"time" | "day" | "whole", Intl.DateTimeFormat>>>();

function formatsIn(language: Language) {
  const clock = { hour: "2-digit", minute: "2-digit" } as const;
  const known = formats.get(language) ?? {
    time: new Intl.DateTimeFormat(language, clock),
    day: new Intl.DateTimeFormat(language, { ...clock, day: "numeric", month: "short" }),
    whole: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }),
  };
  formats.set(language, known);
  return known;
}

interface TextTitleProps {
  /** Whose text it is. */
  readonly who: string;
  readonly file: { readonly filePath: string; readonly label: string };
  readonly children: ComponentChildren;
}

/** Whose text of which file a tab shows, and what is to be said of it. */
export function TextTitle({ who, file: { filePath, label }, children }: TextTitleProps) {
  return (
    <div class="diff-title row">
      <span class="quiet">{who}</span>
      <span class="diff-path" title={safeName(filePath)}>
        <CutText text={label} end={32} />
      </span>
      {children}
    </div>
  );
}

interface RichTextProps {
  readonly sentence: Sentence;
  /** The values of `$1`, `$2` …, each with a key. */
  readonly values: readonly ComponentChildren[];
}

/** A translated sentence with elements as values. */
export function RichText({ sentence, values }: RichTextProps) {
  const { t } = useReview();
  return (
    <>
      {t(sentence)
        .split(/\$(\d)/)
        .map((part, index) => (index % 2 ? values[Number(part) - 1] : part))}
    </>
  );
}

interface BadgeProps {
  readonly kind?: "accent" | "added" | "warning";
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A short fact in a frame. */
export function Badge({ kind, ...props }: BadgeProps) {
  return <span class={kind ? `badge badge-${kind}` : "badge"} {...props} />;
}

interface PanelSectionProps {
  /** Of its heading. */
  readonly id: string;
  readonly title: string;
  /** Of what it lists. */
  readonly count?: number;
  readonly children: ComponentChildren;
}

/** A part of the companion's panel. */
export function PanelSection({ id, title, count, children }: PanelSectionProps) {
  return (
    <section class="panel-section" aria-labelledby={id}>
      <h2 class="section-title" id={id}>
        {title} {count !== undefined && <Badge kind="accent">{count}</Badge>}
      </h2>
      {children}
    </section>
  );
}
