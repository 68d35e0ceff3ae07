import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { z } from "zod";
import { insertValue, removeValue } from "./json-splice.ts";

export interface JsonValue {
  /** From the outermost object inwards. */
  readonly key: readonly string[];
  readonly value: z.core.util.JSONType;
}

const byteOrderMark = "\uFEFF";
const tolerant = { allowTrailingComma: true };

/**
 * Sets values, and leaves comments, order and layout as they are.
 * @throws Error when the text is no JSON object, or holds something else where an object has to be
 */
export function putValues(values: readonly JsonValue[], text: string): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let rest = text.slice(mark.length);
  const isNew = rest.trim() === "";
  if (isNew) rest = "{}";
  for (const { key, value } of values) {
    const root = parse(rest);
    checkWay(root, key);
    if (sameValue(findNodeAtLocation(root, [...key]), value)) continue;
    rest = insertValue(rest, root, key, value);
    // A layout that it does not see through must not become a broken file.
    if (!holds(rest, key, value)) throw new Error(`there is no safe place in it for "${key.join(".")}"`);
  }
  return mark + (isNew ? `${rest}\n` : rest);
}

/** Gives back what was there before, key by key; objects that were made for the values go with them. */
export function takeValues(values: readonly JsonValue[], text: string, before: string | undefined): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let rest = text.slice(mark.length);
  const former =
    before === undefined || before.replace(byteOrderMark, "").trim() === ""
      ? undefined
      : parse(before.replace(byteOrderMark, ""));
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
  return mark + rest;
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

function holds(text: string, key: readonly string[], value: unknown): boolean {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, tolerant);
  return root !== undefined && errors.length === 0 && sameValue(findNodeAtLocation(root, [...key]), value);
}

function parse(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, tolerant);
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
  const root = parseTree(text.replace(byteOrderMark, ""), [], tolerant);
  return root !== undefined && findNodeAtLocation(root, [...key]) !== undefined;
}
