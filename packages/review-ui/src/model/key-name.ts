type Keys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** `Mod` is Command on a Mac and Control elsewhere. */
export function keyName(pressed: Keys, isMac = onMac): string {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed;
  // Option alone types: Polish keyboards have "ć" there.
  const key = isMac && altKey && metaKey ? withoutOption(pressed) : pressed.key;
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

/** Option makes another character of a letter: "ƒ" of F. */
function withoutOption({ key, code, shiftKey }: Keys): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter === undefined || [...key].length !== 1 || key <= "~") return key;
  return shiftKey ? letter : letter.toLowerCase();
}

export const onMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
