/**
 * What a terminal shows, as a page that can be photographed.
 * @param screen of `tmux capture-pane -epN`: lines with SGR escapes
 * @returns HTML
 */
export function toHtml(
  screen: string,
  { columns, title }: { readonly columns: number; readonly title: string },
): string {
  const style: Style = {};
  const lines = screen
    .split("\n")
    .map((line) => toLine(line, style))
    .join("\n");
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #fff }
    main { display: inline-block; margin: 24px; border-radius: 10px; overflow: hidden; background: ${paper};
      box-shadow: 0 8px 28px #0005 }
    header { padding: 8px 14px; background: #2a2c33; color: #9aa0ac; font: 13px sans-serif; text-align: center }
    pre { margin: 0; padding: 8px 10px; width: ${columns}ch; color: ${ink};
      font: 15px/1.28 "DejaVu Sans Mono", monospace }
    span { display: inline-block; height: 1.28em; vertical-align: top }
  </style><main><header>${toMarkup(title)}</header><pre>${lines}</pre></main>`;
}

interface Style {
  foreground?: string | undefined;
  background?: string | undefined;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  reverse?: boolean;
}

const paper = "#14161b";
const ink = "#e0e2ea";

/** The usual sixteen, in the tones that Neovim's own colours go with. */
const named = [
  ...["#07080d", "#ffc0b9", "#b3f6c0", "#fce094", "#a6dbff", "#ffcaff", "#8cf8f7", "#eef1f8"],
  ...["#4f5258", "#ffc0b9", "#b3f6c0", "#fce094", "#a6dbff", "#ffcaff", "#8cf8f7", "#eef1f8"],
];

/** @param style holds from line to line */
function toLine(line: string, style: Style): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what escapes begin with
  const pieces = line.split(/\x1b\[([\d;:]*)m/);
  return pieces
    .map((piece, index) => (index % 2 === 0 ? toSpan(piece, style) : change(style, piece)))
    .join("");
}

function toSpan(text: string, style: Style): string {
  const { foreground, background, bold, italic, underline, reverse } = style;
  if (text === "") return "";
  const [front, back] = reverse ? [background ?? paper, foreground ?? ink] : [foreground, background];
  const rules = [
    front && `color:${front}`,
    back && `background:${back}`,
    bold && "font-weight:bold",
    italic && "font-style:italic",
    underline && "text-decoration:underline",
  ];
  return `<span style="${rules.filter(Boolean).join(";")}">${toMarkup(text)}</span>`;
}

/** @returns nothing to be shown */
function change(style: Style, parameters: string): string {
  const codes = parameters.split(/[;:]/).map(Number);
  while (codes.length > 0) {
    const code = codes.shift() ?? 0;
    if (code === 0) Object.assign(style, plain);
    else if (code === 38) style.foreground = takeColour(codes);
    else if (code === 48) style.background = takeColour(codes);
    else if (code === 39) style.foreground = undefined;
    else if (code === 49) style.background = undefined;
    else if (code >= 30 && code <= 37) style.foreground = named[code - 30];
    else if (code >= 40 && code <= 47) style.background = named[code - 40];
    else if (code >= 90 && code <= 97) style.foreground = named[code - 82];
    else if (code >= 100 && code <= 107) style.background = named[code - 92];
    else Object.assign(style, switches[code]);
  }
  return "";
}

const plain: Style = {
  foreground: undefined,
  background: undefined,
  bold: false,
  italic: false,
  underline: false,
  reverse: false,
};

const switches: Readonly<Record<number, Style>> = {
  1: { bold: true },
  3: { italic: true },
  4: { underline: true },
  7: { reverse: true },
  22: { bold: false },
  23: { italic: false },
  24: { underline: false },
  27: { reverse: false },
};

/** The rest of a `38;2;r;g;b` or `38;5;n`. */
function takeColour(codes: number[]): string | undefined {
  if (codes.shift() === 2) return `rgb(${codes.splice(0, 3).join(",")})`;
  const index = codes.shift() ?? 0;
  if (index < 16) return named[index];
  const grey = 8 + 10 * (index - 232);
  if (index >= 232) return `rgb(${grey},${grey},${grey})`;
  const level = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  const cube = index - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(",")})`;
}

const toMarkup = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
