import { useId } from "preact/hooks";
import { toGitPatch } from "../../../companion/src/files/git-patch.ts";
import { explainError, type FileText } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { IconButton } from "./icon.tsx";

type Side = string | null | undefined;

interface CopyMenuProps {
  readonly file: { readonly label: string; readonly outsideRoots: boolean };
  /** That of the cursor. */
  readonly line: () => number;
  /** Opens it in the user's editor; absent where it is not on disk. */
  readonly open?: () => void;
  /** Before and after the change, as `toSide` gives them. Without it there is no patch. */
  readonly sides?: () => Promise<readonly [Side, Side]>;
}

/** A menu that copies what names the file elsewhere, and the change itself, or opens the file elsewhere. */
export function CopyMenu({ file, line, open, sides }: CopyMenuProps) {
  const { t, frontend, copy, toasts } = useReview();
  const id = useId();
  const editor = frontend.welcome.value?.editor;
  const canOpen = open && editor !== undefined && !file.outsideRoots;
  const name = frontend.paths.value.fromRoot(file, frontend.roots.value);
  const copyName = (text: string) => copy(text, t("Copied: $1", text));
  const copyPatch = async () => {
    try {
      const [before, after] = (await sides?.()) ?? [];
      const patch = before === undefined || after === undefined ? undefined : toGitPatch(name, before, after);
      if (patch === undefined) throw new Error(t("$1 is no text: there is no patch of it.", file.label));
      await copy(patch, t("The patch of $1 is in the clipboard.", file.label));
    } catch (error) {
      toasts.say({ level: "warning", text: explainError(error) });
    }
  };
  const items = [
    [t("Copy the path"), () => copyName(name)],
    [t("Copy the path and line"), () => copyName(`${name}:${line()}`)],
    ...(sides ? [[t("Copy the patch"), copyPatch] as const] : []),
    ...(canOpen ? [[t("Open in $1 at this line", editor), open] as const] : []),
  ] as const;
  const label = t(canOpen ? "Copy or open $1 …" : "Copy of $1 …", file.label);
  return (
    <>
      <IconButton icon="copy" label={label} aria-haspopup="menu" popovertarget={id} />
      <div
        id={id}
        class="menu floating"
        role="menu"
        popover="auto"
        data-own-escape
        aria-label={label}
        onKeyDown={step}
      >
        {items.map(([label, run], index) => (
          <button
            key={label}
            type="button"
            class="menu-item item"
            role="menuitem"
            autofocus={index === 0}
            onClick={({ currentTarget }) => {
              currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
              void run();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

function step(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
  if (by === undefined) return;
  const items: (Element | null)[] = [...event.currentTarget.children];
  const next = items.at((items.indexOf(document.activeElement) + by) % items.length);
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
}

/** The text of a file; null where there is none, undefined where it is no text. */
export const toSide = (file: FileText | undefined): Side =>
  file?.kind === "missing" ? null : file?.kind === "text" && file.exact ? file.text : undefined;
