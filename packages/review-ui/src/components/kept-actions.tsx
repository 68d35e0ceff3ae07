import type { KeptEdits } from "../model/kept-edits.ts";
import { tabId } from "../model/tabs.ts";
import { useReview } from "../review-context.ts";

interface KeptActionsProps {
  readonly edits: KeptEdits;
  /** The comparison is in front already. */
  readonly isCompared?: boolean;
}

/** What can be done with a version that no agent took. */
export function KeptActions({ edits, isCompared = false }: KeptActionsProps) {
  const { door, kept, tabs, toasts } = useReview();
  const { id, label } = edits;
  const withText = async (use: (text: string) => Promise<void> | void) => {
    try {
      await use((await kept.read(id)).mine);
    } catch (error) {
      toasts.show({ level: "error", text: error instanceof Error ? error.message : String(error) });
    }
  };
  const copy = () =>
    withText(async (text) => {
      await navigator.clipboard.writeText(text);
      toasts.show({ level: "info", text: `Your version of ${label} is in the clipboard.` });
    });
  const discard = () => {
    kept.discard(id);
    tabs.close(tabId({ kind: "kept", keptId: id }));
  };
  return (
    <div class="tool-group">
      {!isCompared && (
        <button
          type="button"
          class="button button-primary"
          onClick={() => {
            kept.dismiss(id);
            tabs.open({ kind: "kept", keptId: id });
          }}
        >
          Compare
        </button>
      )}
      <button type="button" class="button" onClick={() => void copy()}>
        Copy
      </button>
      <button
        type="button"
        class="button"
        onClick={() => void withText((text) => download(text, door.paths.peek().baseName(label)))}
      >
        Download
      </button>
      <button type="button" class="button" onClick={discard}>
        Discard
      </button>
    </div>
  );
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
