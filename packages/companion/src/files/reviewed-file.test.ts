import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { fileStampOf } from "./file-stamp.ts";
import { writeReviewedFile } from "./reviewed-file.ts";

test("the text is written byte for byte and the mode kept", async () => {
  const path = join(privateFolder(), "a b.sh");
  writeFileSync(path, "old");
  chmodSync(path, 0o757);
  await writeReviewedFile(path, "\uFEFFnew\r\n\tlast line without end");
  expect(readFileSync(path, "utf8")).toBe("\uFEFFnew\r\n\tlast line without end");
  expect(statSync(path).mode & 0o777).toBe(0o757);
});

test("a new file in a new folder is made", async () => {
  const path = join(privateFolder(), "new", "folder", "a.ts");
  await writeReviewedFile(path, "x");
  expect(readFileSync(path, "utf8")).toBe("x");
});

test("a symbolic link stays one, and its target changes", async () => {
  const folder = privateFolder();
  writeFileSync(join(folder, "target"), "old");
  symlinkSync("target", join(folder, "link"));
  await writeReviewedFile(join(folder, "link"), "new");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("new");
});

test("when writing fails, the file is as it was and nothing is left next to it", async () => {
  const folder = privateFolder();
  mkdirSync(join(folder, "a-folder"));
  await expect(writeReviewedFile(join(folder, "a-folder"), "x")).rejects.toThrow("it is a folder");
  writeFileSync(join(folder, "a-file"), "old");
  await expect(writeReviewedFile(join(folder, "a-file", "b"), "x")).rejects.toThrow(
    `ENOTDIR: not a directory, open '${join(folder, "a-file")}'`,
  );
  expect(readdirSync(folder)).toEqual(["a-file", "a-folder"]);
});

test("an error names the file, not how it was opened", async () => {
  const name = "x".repeat(300);
  const path = join(privateFolder(), name);
  await expect(writeReviewedFile(path, "x")).rejects.toThrow(`'${path}'`);
});

test("a pipe and a link that leads nowhere stay what they are", async () => {
  const folder = privateFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  symlinkSync("not-there", join(folder, "dangling"));
  await expect(writeReviewedFile(join(folder, "pipe"), "x")).rejects.toThrow(
    "it is a pipe, a socket or a device",
  );
  await expect(writeReviewedFile(join(folder, "dangling"), "x")).rejects.toThrow(
    "it is a link that leads nowhere",
  );
  expect(statSync(join(folder, "pipe")).isFIFO()).toBe(true);
  expect(readdirSync(folder)).toEqual(["dangling", "pipe"]);
});

test("a read-only file stays as it is", async () => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, "old", { mode: 0o444 });
  await expect(writeReviewedFile(path, "new")).rejects.toThrow("it is read-only");
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("a file with several names stays one file", async () => {
  const folder = privateFolder();
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  writeFileSync(one, "a long text that was there before");
  linkSync(one, other);
  await writeReviewedFile(one, "short");
  expect(readFileSync(other, "utf8")).toBe("short");
  expect(statSync(one).ino).toBe(statSync(other).ino);
  expect(readdirSync(folder)).toEqual(["one", "other"]);
});

test.runIf(process.getuid?.() === 0)(
  "a file of somebody else's stays theirs when root writes it",
  async () => {
    const path = join(privateFolder(), "theirs");
    writeFileSync(path, "old");
    chownSync(path, 12345, 23456);
    await writeReviewedFile(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path)).toMatchObject({ uid: 12345, gid: 23456 });
  },
);

test("a file that has changed since its review began is left alone", async () => {
  const path = join(privateFolder(), "a");
  const changed = "it has changed since the review began";
  const absent = fileStampOf(path);
  writeFileSync(path, "old");
  const before = fileStampOf(path);
  writeFileSync(path, "somebody else's");
  await expect(writeReviewedFile(path, "new", { before: { stamp: before } })).rejects.toThrow(changed);
  await expect(writeReviewedFile(path, "new", { before: { stamp: absent } })).rejects.toThrow(changed);
  const bytes = Buffer.from("old");
  await expect(writeReviewedFile(path, "new", { before: { bytes } })).rejects.toThrow(changed);
  await expect(writeReviewedFile(path, "new", { before: { bytes: undefined } })).rejects.toThrow(changed);
  expect(readFileSync(path, "utf8")).toBe("somebody else's");
  rmSync(path);
  await expect(writeReviewedFile(path, "new", { before: { stamp: before } })).rejects.toThrow(changed);
  expect(existsSync(path)).toBe(false);
});

test("a file that holds the text by now is as good as written", async () => {
  const path = join(privateFolder(), "a");
  const stamp = fileStampOf(path);
  writeFileSync(path, "new");
  const written = statSync(path).mtimeMs;
  await writeReviewedFile(path, "new", { before: { stamp } });
  expect(statSync(path).mtimeMs).toBe(written);
});

describe("within folders", () => {
  function openFolder() {
    const base = privateFolder();
    const root = join(base, "root");
    mkdirSync(join(base, "outside"));
    mkdirSync(root);
    return { base, root, outside: join(base, "outside") };
  }

  test("a new file in new folders is made, and a link that stays inside is followed", async () => {
    const { root } = openFolder();
    await writeReviewedFile(join(root, "new", "deep", "a"), "x", { within: [root] });
    symlinkSync("new", join(root, "link"));
    await writeReviewedFile(join(root, "link", "deep", "a"), "y", { within: [root] });
    expect(readFileSync(join(root, "new", "deep", "a"), "utf8")).toBe("y");
  });

  test("a folder that is opened by a link is the folder it leads to", async () => {
    const { base, root } = openFolder();
    symlinkSync(root, join(base, "link"));
    await writeReviewedFile(join(base, "link", "a"), "x", { within: [join(base, "link")] });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("x");
  });

  test("nothing outside is written or made, by whatever link or dots it is named", async () => {
    const { root, outside } = openFolder();
    writeFileSync(join(outside, "file"), "old");
    symlinkSync(outside, join(root, "folder"));
    symlinkSync(join(outside, "file"), join(root, "file"));
    symlinkSync(join(outside, "new"), join(root, "dangling"));
    const refusals = new Map([
      [join(outside, "file"), "it lies outside of the open folders"],
      [join(outside, "new", "a"), "it lies outside of the open folders"],
      [`${root}/../outside/file`, "it lies outside of the open folders"],
      [join(root, "file"), `it leads to ${join(outside, "file")}, which lies outside of the open folders`],
      [join(root, "folder", "new"), `it leads to ${join(outside, "new")}, which lies outside`],
      [join(root, "folder", "new", "a"), `it leads to ${join(outside, "new", "a")}, which lies outside`],
      [join(root, "dangling"), "it is a link that leads nowhere"],
      [join(root, "dangling", "a"), "E"],
    ]);
    for (const [path, reason] of refusals)
      await expect(writeReviewedFile(path, "x", { within: [root] }), path).rejects.toThrow(reason);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("old");
    expect(readdirSync(outside)).toEqual(["file"]);
  });

  test("where no folder is open, nothing is written", async () => {
    const { root } = openFolder();
    await expect(writeReviewedFile(join(root, "a"), "x", { within: [] })).rejects.toThrow(
      "no folder is open",
    );
    expect(readdirSync(root)).toEqual([]);
  });

  test("what git would run is not written", async () => {
    const { root } = openFolder();
    mkdirSync(join(root, "sub", ".git", "hooks"), { recursive: true });
    for (const path of [".git/hooks/pre-commit", "sub/.git/hooks/pre-commit", ".GIT/config"])
      await expect(writeReviewedFile(join(root, path), "x", { within: [root] }), path).rejects.toThrow(
        "it belongs to git",
      );
    await writeReviewedFile(join(root, ".gitignore"), "x", { within: [root] });
    expect(readdirSync(join(root, "sub", ".git", "hooks"))).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "a folder that is exchanged for a link between the check and the writing leads nowhere",
    async () => {
      const { root, outside } = openFolder();
      const [folder, away] = [join(root, "folder"), join(root, "away")];
      mkdirSync(folder);
      const before = {
        get stamp() {
          if (!existsSync(away)) {
            renameSync(folder, away);
            symlinkSync(outside, folder);
          }
          return "absent";
        },
      };
      await writeReviewedFile(join(folder, "a"), "x", { within: [root], before });
      expect([readdirSync(outside), readdirSync(away)]).toEqual([[], ["a"]]);
    },
  );
});
