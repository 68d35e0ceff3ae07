import { withheld } from "../../../companion/src/core/sentences.ts";
import { blocksOf } from "../editor/comparison.ts";
import type { Hunk } from "../editor/hunks.ts";
import type { FileText, WrittenFile, WrittenTexts } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { explainFile } from "../text/text-facts.ts";
import { Button } from "./button.tsx";
import { CopyMenu, toSide } from "./copy-menu.tsx";
import { Strip } from "./diff-strips.tsx";
import { ImageView, imageOfFile } from "./image-view.tsx";
import { LineCounts, PathLabel } from "./labels.tsx";
import { ScrollDiff, ScrollFile, type ScrollPart } from "./scroll-file.tsx";
import { useAnswer } from "./use-answer.ts";
import { KindMark, useRenaming } from "./written-list.tsx";

interface WrittenFileProps {
  readonly file: WrittenFile;
  readonly part: ScrollPart;
}

/** A file of a turn: what it was, and what the agent has written. */
export function WrittenFileView({ file, part }: WrittenFileProps) {
  const { t, api, written, guide, translate } = useReview();
  const renaming = useRenaming(file);
  const decide = (action: "keep" | "revert") => void written.decide(action, file, file.label);
  const head = (
    <>
      <KindMark file={file} />
      <PathLabel path={file.label} title={file.filePath} />
      <CopyMenu
        file={file}
        line={part.line}
        {...(file.kind !== "deleted" && {
          open: () => void guide.openInEditor(file.filePath, part.line()),
        })}
        {...(file.withheld === undefined && { sides: () => api.written(file.id).then(toSides) })}
      />
      {file.withheld === undefined && <LineCounts added={file.added} removed={file.removed} />}
    </>
  );
  const tools = (
    <>
      {file.kind !== "deleted" && (
        <Button kind="quiet" onClick={() => guide.open(file.filePath)}>
          {t("Open the file")}
        </Button>
      )}
      {file.withheld === undefined && <Button onDecide={() => decide("revert")}>{t("Revert")}</Button>}
      <Button onDecide={() => decide("keep")}>{t("Keep")}</Button>
    </>
  );
  const text = (height: number) => <Texts file={file} part={part} height={height} />;
  return (
    <ScrollFile {...{ file, part, head, tools }} text={file.withheld === undefined ? text : undefined}>
      {file.withheld !== undefined && <Strip level="info">{translate(withheld[file.withheld])}</Strip>}
      {renaming !== undefined && <Strip level="info">{renaming}</Strip>}
    </ScrollFile>
  );
}

/** The texts of a file, once they are there. */
function Texts({ file, part, height }: WrittenFileProps & { readonly height: number }) {
  const { t, api, written } = useReview();
  const { answer: texts, trouble } = useAnswer(() => api.written(file.id), [file.id, file.revision]);
  if (trouble !== undefined) return <Strip level="warning">{trouble}</Strip>;
  if (!texts) return <div style={{ height: `${height}px` }} />;
  const { before, after, hunks, revision } = texts;
  const [from, to] = [textOf(before), textOf(after)];
  const sources = [
    [t("Before"), imageOfFile(before, file.label)],
    [t("Written"), imageOfFile(after, file.label)],
  ] as const;
  if (from === undefined || to === undefined) {
    const other = [after, before].find((file) => file.kind !== "text");
    const isImage = sources.some(([, source]) => source !== undefined);
    return isImage ? (
      <ImageView sources={sources} />
    ) : (
      <Strip level="info">{other && explainFile(other, t)}</Strip>
    );
  }
  const parts = hunks && {
    hunks,
    decide: (action: "keep" | "revert", { chunk, index }: Hunk) => {
      const blocks = blocksOf(from, to, hunks);
      // Two changes with an empty line between them are shown as one, and one in parts where white space is hidden.
      const chosen = [...blocks.keys()].filter((at) => touches(blocks[at], chunk));
      const name = t("change $1 of $2", index + 1, file.label);
      void written.decide(action, { id: file.id, revision }, name, { index, hunks: chosen });
    },
  };
  return (
    <>
      <ImageView sources={sources} />
      <ScrollDiff
        {...{ file, part, revision, height, ...parts }}
        before={from}
        after={to}
        label={file.label}
      />
    </>
  );
}

const toSides = ({ before, after }: WrittenTexts) => [toSide(before), toSide(after)] as const;

/** @returns undefined when it is no text */
export const textOf = (file: FileText): string | undefined =>
  file.kind === "text" ? file.text : file.kind === "missing" ? "" : undefined;

type Lines = Pick<Hunk["chunk"], "fromB" | "toB">;

/** Lines in which nothing has changed part one block from the next. */
const touches = (block: Lines | undefined, { fromB, toB }: Lines) =>
  block !== undefined && block.fromB <= toB && block.toB >= fromB;
