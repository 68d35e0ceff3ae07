import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { z } from "zod";

/** The key is from the outermost object inwards. */
export const JsonValue = z.object({ key: z.array(z.string()).readonly(), value: z.json() });
type JsonValue = z.infer<typeof JsonValue>;

const tolerant = { allowTrailingComma: true };

/** The byte order mark. */
const mark = "\uFEFF";

/** With a blank in its place: offsets stay. */
const withoutMark = (text: string): string => text.replace(mark, " ");

/**
 * Sets values, and leaves comments, order and layout as they are.
 * @throws Error when the text is no JSON object, or holds something else where an object has to be
 */
export function putValues(values: readonly JsonValue[], text: string): string {
  const isNew = text.trim() === "";
  let rest = isNew ? `${text.startsWith(mark) ? mark : ""}{}` : text;
  for (const { key, value } of values) {
    const root = parse(rest);
    checkWay(root, key);
    if (sameValue(findNodeAtLocation(root, [...key]), value)) continue;
    rest = insertValue(rest, root, key, value);
    // A layout that it does not see through must not become a broken file.
    if (!holds(rest, key, value)) throw new Error(`there is no safe place in it for "${key.join(".")}"`);
  }
  return isNew ? `${rest}\n` : rest;
}

/** Gives back what was there before, key by key; objects that were made for the values go with them. */
export function takeValues(values: readonly JsonValue[], text: string, before: string | undefined): string {
  let rest = text;
  const former = before === undefined || before.trim() === "" ? undefined : parse(before);
  for (const { key, value } of values.toReversed()) {
    const root = parse(rest);
    const node = findNodeAtLocation(root, [...key]);
    // Somebody has changed it since: it is theirs.
    if (!sameValue(node, value)) continue;
    const old = former && findNodeAtLocation(former, [...key]);
    const ours = findNodeAtLocation(root, [...outermostOfOurs(root, former, key)]);
    if (old) rest = insertValue(rest, root, key, getNodeValue(old));
    else if (ours) rest = removeValue(rest, ours);
  }
  parse(rest);
  return rest;
}

/**
 * Puts each value at the end of the list at its key, unless it is in it.
 * @throws Error as `putValues`, and where there is something else than a list
 */
export function putEntries(entries: readonly JsonValue[], text: string): string {
  let rest = text;
  for (const { key, value } of entries) {
    const root = parse(rest);
    checkWay(root, key);
    const list = findNodeAtLocation(root, [...key]);
    if (list === undefined) rest = putValues([{ key, value: [value] }], rest);
    else if (list.type !== "array") throw new Error(`its "${key.join(".")}" is no list`);
    else if (!list.children?.some((each) => sameValue(each, value)))
      rest = splice(rest, addEntry(rest, list, "", value, toLayout(rest)));
  }
  return rest;
}

/** Takes such values out again, and with them lists and objects that hold nothing more. */
export function takeEntries(entries: readonly JsonValue[], text: string): string {
  let rest = text;
  for (const { key, value } of entries) {
    const root = parse(rest);
    const entry = findNodeAtLocation(root, [...key])?.children?.find((each) => sameValue(each, value));
    if (entry) rest = removeValue(rest, outermostOf(entry));
  }
  return rest;
}

/** A value, or what is around it and holds nothing else. */
function outermostOf(value: Node): Node {
  const around = value.parent?.type === "property" ? value.parent.parent : value.parent;
  return around?.parent && around.children?.length === 1 ? outermostOf(around) : value;
}

/** As JSON: what a text has at the keys of these values, and the objects around them, without the rest. */
export function pickValues(values: readonly JsonValue[], text: string): string {
  if (text.trim() === "") return "{}";
  const root = parse(text);
  let picked = "{}";
  for (const { key } of values) {
    for (let length = 1; length <= key.length; length++) {
      const part = key.slice(0, length);
      const node = findNodeAtLocation(root, [...part]);
      if (!node) break;
      const isAround = length < key.length;
      if (isAround && hasValue(picked, part)) continue;
      picked = putValues([{ key: part, value: isAround ? {} : getNodeValue(node) }], picked);
    }
  }
  return picked;
}

/** The key itself, or an object around it that holds nothing else and was not there before. */
function outermostOfOurs(root: Node, former: Node | undefined, key: readonly string[]): readonly string[] {
  let outermost = key;
  for (let length = key.length - 1; length > 0; length--) {
    const parent = key.slice(0, length);
    const wasThere = former && findNodeAtLocation(former, parent) !== undefined;
    if (wasThere || findNodeAtLocation(root, parent)?.children?.length !== 1) break;
    outermost = parent;
  }
  return outermost;
}

/** Whether a text that is not broken has this value there. */
export function holds(text: string, key: readonly string[], value: unknown): boolean {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, tolerant);
  return root !== undefined && errors.length === 0 && sameValue(findNodeAtLocation(root, [...key]), value);
}

function parse(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, tolerant);
  const [first] = errors;
  if (first) {
    const lines = text.slice(0, first.offset).split("\n");
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    throw new Error(`it is broken at ${place}: ${toWords(printParseErrorCode(first.error))}`);
  }
  if (root?.type !== "object") throw new Error("it holds no JSON object");
  return root;
}

function checkWay(root: Node, key: readonly string[]): void {
  for (let length = 1; length < key.length; length++) {
    const parent = key.slice(0, length);
    const node = findNodeAtLocation(root, parent);
    if (node && node.type !== "object") throw new Error(`its "${parent.join(".")}" is no object`);
  }
}

/** `PropertyNameExpected` as people say it. */
const toWords = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, " $&").toLowerCase();

const sameValue = (node: Node | undefined, value: unknown) =>
  node !== undefined && JSON.stringify(getNodeValue(node)) === JSON.stringify(value);

/** Whether a text, broken or not, has a value there. */
export function hasValue(text: string, key: readonly string[]): boolean {
  const root = parseTree(withoutMark(text), [], tolerant);
  return root !== undefined && findNodeAtLocation(root, [...key]) !== undefined;
}

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
function insertValue(text: string, root: Node, key: readonly string[], value: unknown): string {
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
  return splice(text, addEntry(text, parent, `${JSON.stringify(key[depth] ?? "")}: `, inner, layout));
}

/**
 * The text without a property or an entry of a list, and with all comments that are not in it.
 * @param value the property's, or the entry, in the text's tree
 */
function removeValue(text: string, value: Node): string {
  const property = value.parent?.type === "array" ? value : value.parent;
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

type Layout = ReturnType<typeof toLayout>;

/** How the file itself is written. */
const toLayout = (text: string) => ({
  unit: /^([ \t]+)"/m.exec(text)?.[1] ?? "  ",
  eol: /\r?\n/.exec(text)?.[0] ?? "\n",
});

/** @param name of a property, as it stands before the value; nothing for an entry of a list */
function addEntry(
  text: string,
  parent: Node,
  name: string,
  value: unknown,
  layout: Layout,
): readonly Splice[] {
  const last = parent.children?.at(-1);
  const close = parent.offset + parent.length - 1;
  const outer = indentAt(text, parent.offset);
  const property = (indent: string) => `${name}${print(value, indent, layout)}`;
  if (!last) {
    const indent = outer + layout.unit;
    const isOneLine = !text.slice(parent.offset, close).includes("\n");
    const end = isOneLine ? layout.eol + outer : "";
    return [{ offset: parent.offset + 1, length: 0, content: layout.eol + indent + property(indent) + end }];
  }
  const end = last.offset + last.length;
  if (!text.slice(parent.offset, last.offset).includes("\n")) {
    const content = `, ${name}${JSON.stringify(value)}`;
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
const print = (value: unknown, indent: string, { unit, eol }: Layout): string =>
  JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);

/** What the line begins with in which an offset lies. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";

function splice(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { offset, length, content } of splices.toReversed()) {
    result = result.slice(0, offset) + content + result.slice(offset + length);
  }
  return result;
}
