import type { Extension } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";

const names: Readonly<Record<number, string>> = {
  0: "NUL",
  27: "ESC",
  127: "DEL",
  173: "SHY",
  1564: "ALM",
  6158: "MVS",
  8203: "ZWSP",
  8206: "LRM",
  8207: "RLM",
  8232: "LS",
  8233: "PS",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8288: "WJ",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
  65279: "BOM",
};

/**
 * Shows invisible and misleading characters: control characters except carriage returns, the byte order mark, zero-width
 * and bidirectional controls, tag characters, and halves of surrogate pairs.
 */
const ranges = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffc],
  [0xe0000, 0xe007f],
] as const;

const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, "0");

const pattern = new RegExp(
  `[${ranges.map(([first, last]) => `\\u{${hex(first)}}-\\u{${hex(last)}}`).join("")}]`,
  "gu",
);

export function specialCharacters(): Extension {
  return highlightSpecialChars({
    specialChars: pattern,
    render: (code) => {
      const isHalf = code >= 0xd800 && code <= 0xdfff;
      const element = document.createElement("span");
      element.className = "cm-specialChar";
      element.textContent = names[code] ?? (isHalf ? `½ ${hex(code)}` : hex(code));
      element.title = `U+${hex(code)}${isHalf ? ": half of a surrogate pair" : ""}`;
      return element;
    },
  });
}
