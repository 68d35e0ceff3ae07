import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { RecordFolder, type RecordHead } from "./record-folder.ts";

interface Note extends RecordHead {
  readonly text: string;
}

test("a record that is replaced while it is read is read again", () => {
  const head = { id: "0123abcd", at: 1, agent: "Gemini CLI", filePath: "/a" };
  let onRead = () => {};
  const folder = new RecordFolder<Note, Note>({
    folder: join(privateFolder(), "notes"),
    what: "notes",
    parse: (head, { text }) => {
      onRead();
      return { ...head, text: String(text) };
    },
    summarize: (note) => note,
  });
  folder.write({ ...head, text: "old" }, false);
  onRead = () => {
    onRead = () => {};
    folder.write({ ...head, text: "new" }, false);
  };
  folder.scan();
  expect(folder.scan().records).toEqual([{ ...head, text: "new" }]);
});
