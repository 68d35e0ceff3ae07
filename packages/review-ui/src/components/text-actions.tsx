import { useReview } from "../review-context.ts";

interface TextActionsProps {
  readonly text: string;
  /** Of the file. */
  readonly label: string;
}

/** Takes a text out of the page. */
export function TextActions({ text, label }: TextActionsProps) {
  const { t, frontend, toasts } = useReview();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show({ level: "info", text: t("The text of $1 is in the clipboard.", label) });
    } catch (error) {
      toasts.show({ level: "error", text: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <button type="button" class="button" onClick={() => void copy()}>
        {t("Copy")}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => download(text, frontend.paths.peek().baseName(label))}
      >
        {t("Download")}
      </button>
    </>
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
