import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { askForProcess, Mailbox } from "./remote.ts";

function open() {
  const folder = privateFolder();
  const heard: string[] = [];
  const mailbox = new Mailbox({
    folder,
    onMail: (name) => heard.push(name),
    onError: (error) => heard.push(error.message),
  });
  onTestFinished(() => mailbox.close());
  const write = (name: string, text = "") => writeFileSync(path.join(folder, name), text);
  return { folder, heard, mailbox, write };
}

test("what is written is reported, and can be read and taken away", async () => {
  const { folder, heard, mailbox, write } = open();
  write("context", "text");
  await eventually(() => expect(heard).toContain("context"));
  expect(mailbox.read("context")).toBe("text");
  expect(mailbox.take("context")).toBe("text");
  expect(mailbox.take("context")).toBeUndefined();
  expect(existsSync(path.join(folder, "context"))).toBe(false);
});

test("what is waited for comes to who waits, and to nobody else", async () => {
  const { heard, mailbox, write } = open();
  const received = mailbox.receive(["opened.1", "failed.1"], 20_000);
  write("opened.1");
  expect(await received).toBe("opened.1");
  write("last");
  await eventually(() => expect(heard).toContain("last"));
  expect(mailbox.read("opened.1")).toBeUndefined();
});

test("Kakoune is asked for its process, which is read when it is whole", async () => {
  const { folder, mailbox, write } = open();
  const commands: string[] = [];
  const asked = askForProcess(mailbox, {
    do: async (...all) => void commands.push(...all),
  });
  expect(commands).toEqual([
    `echo -to-file '${folder}/process' %sh{ echo $PPID }`,
    `echo -to-file '${folder}/process-written'`,
  ]);
  write("process", "1234\n");
  write("process-written");
  expect(await asked).toBe(1234);
});

test("what does not come is not waited for longer than wanted", async () => {
  await expect(open().mailbox.receive(["text.1"], 10)).rejects.toThrow(
    "Kakoune has not written text.1 within 0.01 s",
  );
});
