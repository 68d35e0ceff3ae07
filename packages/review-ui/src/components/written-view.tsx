import type { WrittenTurn } from "../model/written.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Button } from "./button.tsx";
import { Strip } from "./diff-strips.tsx";
import { FileScroll } from "./file-scroll.tsx";
import { Time } from "./labels.tsx";
import { TurnButton } from "./many-decisions.tsx";
import { textOf, WrittenFileView } from "./written-file.tsx";

/** All files that one turn has written, one below the other. */
export function WrittenView({ id, isActive }: { readonly id: string; readonly isActive: boolean }) {
  const { t, api, written } = useReview();
  const turn = written.find(id);
  const undo = <Button onClick={() => void written.undo()}>{t("Undo the last decision")}</Button>;
  if (!turn)
    return (
      <Strip level="info" actions={undo}>
        {t("Nothing of this turn waits any more.")}
      </Strip>
    );
  const title = (
    <>
      <span class="quiet">{turn.agent}</span>
      <span class="diff-path">{safeName(turn.title) || t("Written without asking")}</span>
      <span class="quiet">
        <Time at={turn.at} />
      </span>
    </>
  );
  return (
    <FileScroll
      {...{ id, isActive, title }}
      files={turn.files}
      label={t("Decide on what $1 has written", turn.agent)}
      decision={<TurnDecision turn={turn} />}
      view={WrittenFileView}
      read={async (file) => {
        const { before, after } = await api.written(file);
        return [textOf(before) ?? "", textOf(after) ?? ""];
      }}
      isViewed={written.isViewed}
      toggleViewed={written.toggleViewed}
      accept={(file) => void written.decide("keep", file, file.label)}
      reject={(file) => void written.decide("revert", file, file.label)}
    />
  );
}

/** Keeps or reverts all of the turn. */
function TurnDecision({ turn }: { readonly turn: WrittenTurn }) {
  const { t, written } = useReview();
  const count = turn.files.length;
  const name = count === 1 ? turn.files[0].label : t("$1 files", count);
  return (
    <>
      <TurnButton
        label={t("Revert the turn …")}
        title={t("Revert $1", name)}
        changes={turn.files}
        run={() => written.decide("revert", turn, name)}
      />
      <Button kind="primary" onDecide={() => void written.decide("keep", turn, name)}>
        {t("Keep all")}
      </Button>
    </>
  );
}
