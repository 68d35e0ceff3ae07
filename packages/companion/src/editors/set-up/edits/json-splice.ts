import { findNodeAtLocation, type Node } from "jsonc-parser";

/** A place in a text, and what is to stand there instead. */
interface Splice {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/**
 * A text with a value in it; everything around it stays as it is written, which jsonc-parser's own `modify` with a
 * layout does not grant.
 * @param root the text's outermost object
 * @param key from the outermost object inwards; what is on the way is an object, or missing
 */
export function insertValue(text: string, root: Node, key: readonly string[], value: unknown): string {
  const present = findNodeAtLocation(root, [...key]);
  const layout = toLayout(text);
  if (present) {
    const content = print(value, indentAt(text, present.offset), layout);
    return splice(text, [{ offset: present.offset, length: present.length, content }]);
  }
  let depth = key.length - 1;
  while (!findNodeAtLocation(root, key.slice(0, depth))) depth--;
  const parent = findNodeAtLocation(root, key.slice(0, depth)) ?? root;
  const inner = key.slice(depth + 1).reduceRight((nested, name) => ({ [name]: nested }), value);
  return splice(text, addProperty(text, parent, [key[depth] ?? "", inner], layout));
}

/**
 * The text without a property, and with all comments that are not in it.
 * @param value the property's, in the text's tree
 */
export function removeValue(text: string, value: Node): string {
  const property = value.parent;
  const siblings = property?.parent?.children;
  if (!property || !siblings) return text;
  const before = siblings[siblings.indexOf(property) - 1];
  const comma = /^\s*,/.exec(text.slice(property.offset + property.length))?.[0].length ?? 0;
  const end = property.offset + property.length + comma;
  const isLast = siblings.at(-1) === property;
  const [lead = ""] = /\r?\n[ \t]*$/.exec(text.slice(0, property.offset)) ?? [];
  const isAlone = lead !== "" && /^[ \t]*(\r?\n|$)/.test(text.slice(end));
  const start = property.offset - (isAlone ? lead.length : 0);
  const tail = isAlone ? 0 : (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
  if (!isLast || !before || comma > 0) return cut(text, start, end + tail);
  const open = before.offset + before.length;
  const at = open + text.slice(open).indexOf(",");
  return isAlone ? cut(cut(text, start, end), at, at + 1) : cut(text, at, end);
}

const cut = (text: string, start: number, end: number) => text.slice(0, start) + text.slice(end);

interface Layout {
  readonly unit: string;
  readonly eol: string;
}

/** How the file itself is written. */
const toLayout = (text: string): Layout => ({
  unit: /^([ \t]+)"/m.exec(text)?.[1] ?? "  ",
  eol: /\r?\n/.exec(text)?.[0] ?? "\n",
});

function addProperty(
  text: string,
  parent: Node,
  [name, value]: readonly [string, unknown],
  layout: Layout,
): readonly Splice[] {
  const last = parent.children?.at(-1);
  const close = parent.offset + parent.length - 1;
  const outer = indentAt(text, parent.offset);
  const property = (indent: string) => `${JSON.stringify(name)}: ${print(value, indent, layout)}`;
  if (!last) {
    const indent = outer + layout.unit;
    const isOneLine = !text.slice(parent.offset, close).includes("\n");
    const end = isOneLine ? layout.eol + outer : "";
    return [{ offset: parent.offset + 1, length: 0, content: layout.eol + indent + property(indent) + end }];
  }
  const end = last.offset + last.length;
  if (!text.slice(parent.offset, last.offset).includes("\n")) {
    const content = `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    return [{ offset: end, length: 0, content }];
  }
  const indent = indentAt(text, last.offset);
  const hasComma = /^\s*,/.test(text.slice(end, close));
  // A comment may follow in the same line: it belongs to what it follows.
  const rest = /^[^\r\n]*/.exec(text.slice(end, close))?.[0] ?? "";
  const isLastInLine = end + rest.length < close;
  const line = layout.eol + indent + property(indent);
  if (!isLastInLine) return [{ offset: end, length: 0, content: `,${line}` }];
  return [
    ...(hasComma ? [] : [{ offset: end, length: 0, content: "," }]),
    { offset: end + rest.length, length: 0, content: hasComma ? `${line},` : line },
  ];
}

/** @param indent of the line in which the value begins */
function print(value: unknown, indent: string, { unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

/** What the line begins with in which an offset lies. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

function splice(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { offset, length, content } of splices.toReversed()) {
    result = result.slice(0, offset) + content + result.slice(offset + length);
  }
  return result;
}
