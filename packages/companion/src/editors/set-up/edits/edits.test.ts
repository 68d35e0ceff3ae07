import { describe, expect, test } from "vitest";
import { type Edit, putIn, takeOut } from "./edit.ts";

const block: Edit = { kind: "block", comment: "#", lines: ["a", "b"] };
const json = (...values: (Edit & { kind: "json" })["values"]): Edit => ({ kind: "json", values });
const enabled = json({ key: ["ide", "enabled"], value: true });

describe("a block", () => {
  const own = "# ide-companion >>>\na\nb\n# ide-companion <<<\n";

  test("stands at the end of a text, after an empty line", () => {
    expect(putIn(block, undefined)).toBe(own);
    expect(putIn(block, "x\n")).toBe(`x\n\n${own}`);
    expect(putIn(block, "x")).toBe(`x\n\n${own}`);
  });

  test("has the text's own line ends", () => {
    expect(putIn(block, "x\r\ny\r\n")).toBe(`x\r\ny\r\n\r\n${own.replaceAll("\n", "\r\n")}`);
  });

  test("takes the place of an older one, wherever that has been moved to", () => {
    const older = "x\n\n# ide-companion >>>\nold\n# ide-companion <<<\ny\n";
    expect(putIn(block, older)).toBe(`x\n\n${own}y\n`);
    expect(putIn(block, putIn(block, older))).toBe(`x\n\n${own}y\n`);
  });

  test.each(["x\n", "", "x\r\n", "\n"])("leaves %j as it was when it is taken out", (text) => {
    expect(takeOut(block, putIn(block, text), text)).toBe(text);
  });

  test("leaves alone what came after it", () => {
    expect(takeOut(block, `x\n\n${own}y\n`, "x\n")).toBe("x\ny\n");
    expect(takeOut(block, own, undefined)).toBeUndefined();
  });

  test("is not guessed at where one of its marks is missing", () => {
    const message = 'it has only one of the lines "# ide-companion >>>" and "# ide-companion <<<"';
    expect(() => putIn(block, "# ide-companion >>>\na\n")).toThrow(message);
    expect(() => takeOut(block, "# ide-companion <<<\n", "")).toThrow(message);
    expect(putIn(block, "see # ide-companion >>>\n")).toContain(own);
  });
});

describe("a value in JSON", () => {
  test("makes a separate file", () => {
    expect(putIn(enabled, undefined)).toBe('{\n  "ide": {\n    "enabled": true\n  }\n}\n');
    expect(putIn(enabled, "")).toBe('{\n  "ide": {\n    "enabled": true\n  }\n}\n');
  });

  test.each([
    ["{}", '{\n  "ide": {\n    "enabled": true\n  }\n}'],
    ["{\n}\n", '{\n  "ide": {\n    "enabled": true\n  }\n}\n'],
    ["{\n  // nothing yet\n}\n", '{\n  "ide": {\n    "enabled": true\n  }\n  // nothing yet\n}\n'],
    ['{"a":1}', '{"a":1, "ide": {"enabled":true}}'],
    ['{ "a": 1 }\n', '{ "a": 1, "ide": {"enabled":true} }\n'],
    [
      '{\n  "a": { "b": [1] } // why\n}\n',
      '{\n  "a": { "b": [1] }, // why\n  "ide": {\n    "enabled": true\n  }\n}\n',
    ],
    ['{\n  "a": 1, // why\n}\n', '{\n  "a": 1, // why\n  "ide": {\n    "enabled": true\n  },\n}\n'],
    [
      '{\n  "a": 1\n  // the end\n}\n',
      '{\n  "a": 1,\n  "ide": {\n    "enabled": true\n  }\n  // the end\n}\n',
    ],
    ['{\n\t"a": 1 }', '{\n\t"a": 1,\n\t"ide": {\n\t\t"enabled": true\n\t} }'],
    ['{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "ide": {\r\n        "enabled": true\r\n    }\r\n}'],
    ['{\n  "ide": {} // mine\n}', '{\n  "ide": {\n    "enabled": true\n  } // mine\n}'],
    [
      '{\n  "ide": {\n    "seen": 1\n  },\n  "z": 0\n}',
      '{\n  "ide": {\n    "seen": 1,\n    "enabled": true\n  },\n  "z": 0\n}',
    ],
    ['{ "ide": { "enabled": false, "x": 1 } }', '{ "ide": { "enabled": true, "x": 1 } }'],
    ['\uFEFF{ "a": 1 }', '\uFEFF{ "a": 1, "ide": {"enabled":true} }'],
  ])("goes into %j, and nothing else changes", (before, after) => {
    expect(putIn(enabled, before)).toBe(after);
    expect(putIn(enabled, after)).toBe(after);
  });

  test.each([
    ['{ "a": 1, }x', "it is broken at line 1, column 12: invalid symbol"],
    ['{\n  "a": 1\n  "b": 2\n}', "it is broken at line 3, column 3: comma expected"],
    ["[]", "it holds no JSON object"],
    ['{ "ide": 1 }', 'its "ide" is no object'],
    ['{\n  "a": 1 /* one\n two */ }', 'there is no safe place in it for "ide.enabled"'],
  ])("does not go into %j", (text, message) => {
    expect(() => putIn(enabled, text)).toThrow(message);
  });

  test("goes out again, with the objects that were made for it", () => {
    const before = '{\n  "a": { "b": 1 } // why\n}\n';
    expect(takeOut(enabled, putIn(enabled, before), before)).toBe(before);
    expect(takeOut(enabled, '{\n  "ide": {\n    "enabled": true\n  }\n}\n', undefined)).toBeUndefined();
    expect(takeOut(enabled, '{\n  "ide": { "enabled": true, "seen": 1 },\n  "b": 1\n}\n', undefined)).toBe(
      '{\n  "ide": { "seen": 1 },\n  "b": 1\n}\n',
    );
  });

  test.each([
    ['{\n  "a": 1, // why\n  "ide": {\n    "enabled": true\n  }\n}\n', '{\n  "a": 1 // why\n}\n'],
    [
      '{\n  "a": 1,\n  "ide": { "enabled": true }, // ours\n  "b": 2\n}',
      '{\n  "a": 1,\n  // ours\n  "b": 2\n}',
    ],
    ['{\n  "ide": { "enabled": true },\n  // b\n  "b": 2\n}', '{\n  // b\n  "b": 2\n}'],
    ['{ "a": 1, "ide": {"enabled":true} }', '{ "a": 1 }'],
    ['{ "ide": {"enabled":true}, "a": 1 }', '{ "a": 1 }'],
    ['{"a":1,"ide":{"enabled":true},"b":2}', '{"a":1,"b":2}'],
    ['{\r\n  "a": 1,\r\n  "ide": { "enabled": true },\r\n}\r\n', '{\r\n  "a": 1,\r\n}\r\n'],
  ])("goes out of %j, and nothing else", (text, after) => {
    expect(takeOut(enabled, text, "{}")).toBe(after);
  });

  test("gives its place back to the value that was there, unless somebody has changed it since", () => {
    const before = '{ "ide": { "enabled": false } }';
    expect(takeOut(enabled, '{ "ide": { "enabled": true }, "b": 1 }', before)).toBe(
      '{ "ide": { "enabled": false }, "b": 1 }',
    );
    expect(takeOut(enabled, '{ "ide": { "enabled": "no" } }', before)).toBe('{ "ide": { "enabled": "no" } }');
  });

  test("may be several, each in its place", () => {
    const both = json({ key: ["ide", "enabled"], value: true }, { key: ["tools", "mode"], value: "default" });
    const before = '{\n  "tools": { "x": 1 }\n}\n';
    const after = '{\n  "tools": { "x": 1, "mode": "default" },\n  "ide": {\n    "enabled": true\n  }\n}\n';
    expect(putIn(both, before)).toBe(after);
    expect(takeOut(both, after, before)).toBe(before);
  });
});

describe("an entry of a list in JSON", () => {
  const entry = (value: string): Edit => ({
    kind: "json",
    values: [],
    entries: [{ key: ["hooks", "Before"], value: { line: value } }],
  });
  const others = [
    undefined,
    '{ "hooks": {"Before": [ {"line":"x"} ]}, "a": 1 }\n',
    '\uFEFF{\r\n\t"hooks": {\r\n\t\t"Before": [\r\n\t\t\t1, // one\r\n\t\t\t2\r\n\t\t]\r\n\t}\r\n}\r\n',
    '{\n  "hooks": {\n    "After": []\n  }\n}\n',
    '{ "a": [1] }',
  ];

  test.each(others)("stands last, once, and nothing else has changed when it is taken out: %j", (text) => {
    const edit = entry("ours");
    const put = putIn(edit, text);
    expect(put).toMatch(/"line": ?"ours"\s*\}\s*\]/);
    expect(putIn(edit, put)).toBe(put);
    expect(takeOut(edit, put, text)).toBe(text);
  });

  test("takes the place of what an earlier version has put there", () => {
    const put = putIn(entry("new"), putIn(entry("old"), '{ "hooks": {"Before": [0]} }'), [entry("old")]);
    expect(put).toBe('{ "hooks": {"Before": [0, {"line":"new"}]} }');
  });

  test("is refused where there is no list", () => {
    expect(() => putIn(entry("x"), '{ "hooks": {"Before": {}} }')).toThrow('its "hooks.Before" is no list');
    expect(() => putIn(entry("x"), '{ "hooks": [] }')).toThrow('its "hooks" is no object');
  });
});

describe("a file of ours", () => {
  const whole: Edit = { kind: "whole", text: "new" };

  test("takes the place of an older one of ours, and of no other", () => {
    expect(putIn(whole, undefined)).toBe("new");
    expect(putIn(whole, "old", [{ kind: "whole", text: "old" }])).toBe("new");
    expect(() => putIn(whole, "theirs")).toThrow("it is there already, and not by this command");
    expect(takeOut(whole, "new", undefined)).toBeUndefined();
    expect(takeOut(whole, "theirs", undefined)).toBe("theirs");
  });
});
