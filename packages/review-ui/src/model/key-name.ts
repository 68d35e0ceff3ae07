type Keys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** `Mod` is Command on a Mac and Control elsewhere. */
export function keyName(pressed: Keys, isMac = onMac): string {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed;
  // Option alone types: Polish keyboards have "ć" there.
  const key = isMac && altKey && metaKey ? withoutOption(pressed) : latinKey(pressed);
  const mod = isMac ? metaKey : ctrlKey;
  const other = isMac ? ctrlKey : metaKey;
  // Many layouts have "[" and the like behind Option or AltGr. Windows reports AltGr as Control and Alt.
  const isTyped = altKey && /^[!-/:-@[-`{-~]$/.test(key);
  const isCharacter = [...key].length === 1;
  const parts = [
    other ? (isMac ? "Control" : "Meta") : "",
    mod && (isMac || !isTyped) ? "Mod" : "",
    altKey && !isTyped ? "Alt" : "",
    // A character such as "?" already includes Shift.
    shiftKey && !isCharacter ? "Shift" : "",
    key,
  ];
  return parts.filter(Boolean).join("+");
}

/** The key, or the one that a Latin keyboard has in the place of a letter of another alphabet. */
export function latinKey(pressed: Pick<Keys, "key" | "code" | "shiftKey">): string {
  return /^[^\P{L}\p{Script=Latin}]$/u.test(pressed.key) ? inThatPlace(pressed) : pressed.key;
}

/** Option makes another character of a letter: "ƒ" of F. */
function withoutOption(pressed: Keys): string {
  return [...pressed.key].length === 1 && pressed.key > "~" ? inThatPlace(pressed) : pressed.key;
}

const brackets: Readonly<Record<string, string>> = { BracketLeft: "[", BracketRight: "]" };

function inThatPlace({ key, code, shiftKey }: Pick<Keys, "key" | "code" | "shiftKey">): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter === undefined) return (shiftKey ? undefined : brackets[code]) ?? key;
  return shiftKey ? letter : letter.toLowerCase();
}

export const onMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
