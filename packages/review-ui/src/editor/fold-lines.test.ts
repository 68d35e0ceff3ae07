import { Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { enclosingLine } from "./fold-lines.ts";

test.each([
  ["export function total(", "export function total(\n  cart: Cart,\n): number {\n  let sum = 0;\n  HERE"],
  ["  add(item) {", "class Cart {\n  #items = [];\n  add(item) {\n    if (item) {\n      HERE\n"],
  [
    "    def add(self, item):",
    "class Cart:\n    def add(self, item):\n        for one in item:\n            HERE",
  ],
  ["const total = (cart) => {", "const total = (cart) => {\n  sum(\n    cart,\n    HERE\n"],
  ["func (c *Cart) Total() int {", "func (c *Cart) Total() int {\n\tswitch {\n\tcase a:\n\t\tHERE"],
  ["on:", "name: ci\non:\n  push:\n    HERE"],
  [undefined, "function a() {\n}\n\nHERE\n"],
])("a line is in: %s", (name, text) => {
  const doc = Text.of(text.split("\n"));
  const line = text.split("\n").findIndex((one) => one.includes("HERE")) + 1;
  expect(enclosingLine(doc, line)).toBe(name?.trim());
});
