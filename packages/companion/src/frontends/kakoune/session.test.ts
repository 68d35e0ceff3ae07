import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { parseWords, quote, Session } from "./session.ts";

test("whatever a text holds, its word stands for it", () => {
  const texts = ["plain", "it's", "''", "", " two  words ", "%{ } %sh{rm}", "line\nline", "-dash", "😀"];
  expect(parseWords([...texts, "end"].map(quote).join(" "))).toEqual(texts);
});

test("words that are not all there are none", () => {
  expect(parseWords("'one' 'tw")).toBeUndefined();
  expect(parseWords("'one' tw")).toBeUndefined();
  expect(parseWords("'one' 'two'")).toBeUndefined();
});

function open(limit = 20_000) {
  const folder = privateFolder();
  const heard: string[] = [];
  const commands: string[] = [];
  const session = new Session({
    ...{ name: "s", folder, limit },
    onMail: (name) => heard.push(name),
    onError: (error) => heard.push(error.message),
    send: async (_, sent) => void commands.push(sent),
  });
  onTestFinished(() => session.close());
  const write = (name: string, text = "") => writeFileSync(path.join(folder, name), text);
  return { folder, heard, commands, session, write };
}

test("what is written is reported, and can be read and taken away", async () => {
  const { folder, heard, session, write } = open();
  write("context", "'text' 'end'");
  await eventually(() => expect(heard).toContain("context"));
  expect(session.readWords("context")).toEqual(["text"]);
  expect(session.takeWords("context")).toEqual(["text"]);
  expect(session.takeWords("context")).toBeUndefined();
  expect(existsSync(path.join(folder, "context"))).toBe(false);
});

test("what is waited for comes to who waits, and to nobody else", async () => {
  const { heard, session, write } = open();
  const received = session.ask(["opened.1", "failed.1"], "open");
  write("opened.1");
  expect(await received).toBe("opened.1");
  write("last");
  await eventually(() => expect(heard).toContain("last"));
  expect(session.take("opened.1")).toBeUndefined();
});

test("Kakoune is asked for its process, which is read when it is whole", async () => {
  const { folder, commands, session, write } = open();
  const asked = session.findProcess();
  await eventually(() => expect(commands).toHaveLength(1));
  expect(commands[0]).toBe(
    `echo -to-file '${folder}/process' %sh{ echo $PPID }\necho -to-file '${folder}/process-written' `,
  );
  write("process", "1234\n");
  write("process-written");
  expect(await asked).toBe(1234);
});

test("what does not come is not waited for longer than wanted", async () => {
  await expect(open(10).session.ask(["text.1"], "write")).rejects.toThrow(
    "Kakoune has not written text.1 within 0.01 s",
  );
});
