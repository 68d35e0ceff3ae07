import { onMac } from "../model/key-name.ts";
import { assign } from "../model/preferences.ts";
import { type Shortcut, shortcuts } from "../model/shortcuts.ts";
import { useReview } from "../review-context.ts";
import { IconButton } from "./icon.tsx";
import { ModalDialog } from "./modal-dialog.tsx";

/** All the keys. */
export function ShortcutSheet() {
  const { t, isSheetOpen } = useReview();
  const close = () => assign(isSheetOpen, false);
  if (!isSheetOpen.value) return null;
  return (
    <ModalDialog labelledBy="sheet-title" onLeave={close}>
      <div class="section-head row">
        <h2 id="sheet-title">{t("Keyboard shortcuts")}</h2>
        <IconButton icon="close" label={t("Close")} onClick={close} />
      </div>
      <div class="sheet-groups">
        {(["Review", "Move around", "Page"] as const).map((group) => (
          <section key={group} aria-labelledby={`sheet-${group}`}>
            <h3 class="section-title" id={`sheet-${group}`}>
              {t(group)}
            </h3>
            <dl>
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map((shortcut) => (
                  <Row key={shortcut.title} shortcut={shortcut} />
                ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="quiet">
        {t("Single letters work while no text has the focus: Escape leaves it. Tab indents while editing.")}
      </p>
    </ModalDialog>
  );
}

function Row({ shortcut }: { readonly shortcut: Shortcut }) {
  const { t } = useReview();
  return (
    <div class="sheet-row row">
      <dt>
        {shortcut.keys.map((key) => (
          <KeyName key={key} name={key} />
        ))}
      </dt>
      <dd>{t(shortcut.title)}</dd>
    </div>
  );
}

const symbols: Readonly<Record<string, string>> = {
  Mod: onMac ? "⌘" : "Ctrl",
  Alt: onMac ? "⌥" : "Alt",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Backspace: "⌫",
  Escape: "Esc",
};

function KeyName({ name }: { readonly name: string }) {
  return (
    <span class="keys">
      {name.split("+").map((part) => (
        <kbd key={part}>{symbols[part] ?? part}</kbd>
      ))}
    </span>
  );
}
