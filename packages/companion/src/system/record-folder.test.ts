import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { RecordFolder } from "./record-folder.ts";

interface Note {
  readonly id: string;
  readonly text: string;
}

test("a record that is replaced while it is read is read again", () => {
  const id = "0123abcd";
  let onRead = () => {};
  const folder = new RecordFolder<Note, Note>({
    folder: join(privateFolder(), "notes"),
    what: "notes",
    parse: (text) => {
      onRead();
      return JSON.parse(text);
    },
    summarize: (note) => note,
  });
  folder.write({ id, text: "old" }, false);
  onRead = () => {
    onRead = () => {};
    folder.write({ id, text: "new" }, false);
  };
  folder.scan();
  expect(folder.scan().records).toEqual([{ id, text: "new" }]);
});
