import { execFileSync, spawnSync } from "node:child_process";
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
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
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

const python = (code: string, ...args: readonly string[]) =>
  execFileSync("python3", ["-c", `import os, sys\n${code}`, ...args], { encoding: "utf8" }).trim();

test.runIf(process.platform === "linux")(
  "extended attributes and access lists are kept, and the group gets no right that it had not",
  async () => {
    const path = join(privateFolder(), "a");
    writeFileSync(path, "old", { mode: 0o600 });
    python('os.setxattr(sys.argv[1], "user.mine", b"kept")', path);
    // user::rw-, user:12345:rw-, group::---, mask::rw-, other::---: the mode shows the mask as the group's right.
    const list =
      "0200000001000600ffffffff0200060039300000040000" + "00ffffffff10000600ffffffff20000000ffffffff";
    python('os.setxattr(sys.argv[1], "system.posix_acl_access", bytes.fromhex(sys.argv[2]))', path, list);
    const before = statSync(path).ino;
    await writeReviewedFile(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(python('print(os.getxattr(sys.argv[1], "user.mine").decode())', path)).toBe("kept");
    expect(python('print(os.getxattr(sys.argv[1], "system.posix_acl_access").hex())', path)).toBe(list);
    expect(statSync(path).mode & 0o777).toBe(0o660);
    // It was replaced in one step, not written in place.
    expect(statSync(path).ino).not.toBe(before);
    expect(readdirSync(dirname(path))).toEqual(["a"]);
  },
);

test("where no program copies attributes, the file is written in place", async () => {
  const folder = privateFolder();
  const path = join(folder, "a");
  writeFileSync(path, "a long text that was there before");
  const before = statSync(path).ino;
  vi.stubEnv("PATH", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeReviewedFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).ino).toBe(before);
  expect(readdirSync(folder)).toEqual(["a"]);
});

test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a file that is a mount point is written",
  async (context) => {
    const folder = privateFolder();
    const [path, source] = [join(folder, "a"), join(folder, "source")];
    for (const file of [path, source]) writeFileSync(file, "old");
    try {
      execFileSync("mount", ["--bind", source, path], { stdio: "ignore" });
    } catch {
      context.skip("this container does not let its processes mount");
    }
    onTestFinished(() => void execFileSync("umount", [path]));
    await writeReviewedFile(path, "new");
    expect(readFileSync(source, "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["a", "source"]);
  },
);

test("what a killed writer has left goes with the next writing, what one that lives writes stays", async () => {
  const folder = privateFolder();
  const ended = spawnSync("true").pid;
  const left = `.ide-companion.${ended}-0123456789ab.tmp`;
  const others = [`.ide-companion.${process.pid}-0123456789ab.tmp`, `.mine.${ended}-0123456789ab.tmp`];
  for (const name of [left, ...others]) writeFileSync(join(folder, name), "half");
  await writeReviewedFile(join(folder, "a"), "new");
  expect(readdirSync(folder)).toEqual([...others, "a"]);
});

test("a file whose name is not UTF-8 is not written under another one", async () => {
  const folder = privateFolder();
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), "old");
  await expect(writeReviewedFile(`${folder}/caf\uFFFD`, "new")).rejects.toThrow("its name is not UTF-8");
  expect(readdirSync(folder)).toHaveLength(1);
});

test("a file is deleted as it is written: only what was seen, and no pipe", async () => {
  const folder = privateFolder();
  const path = join(folder, "a");
  const before = { bytes: Buffer.from("old") };
  writeFileSync(path, "somebody else's");
  await expect(writeReviewedFile(path, null, { before })).rejects.toThrow("it has changed since");
  rmSync(path);
  execFileSync("mkfifo", [path]);
  await expect(writeReviewedFile(path, null, { before })).rejects.toThrow("it is a pipe");
  rmSync(path);
  writeFileSync(path, "old");
  await writeReviewedFile(path, null, { before });
  expect(readdirSync(folder)).toEqual([]);
});

test("a file that changes while it is written is left alone, whatever was seen before", async () => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, "old");
  const written = writeReviewedFile(path, "new");
  while (readdirSync(dirname(path)).length < 2) await setImmediate();
  writeFileSync(path, "somebody else's");
  await expect(written).rejects.toThrow("it has changed since the review began");
  expect(readFileSync(path, "utf8")).toBe("somebody else's");
});

const latin = (text: string) => Buffer.from(text, "latin1");
const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each([
  ["Latin-1", latin("caf\xe9\none\ntwo"), "caf\uFFFD\nONE\ntwo", latin("caf\xe9\nONE\ntwo")],
  ["Latin-1 and CRLF", latin("caf\xe9\r\none\r\n"), "caf\uFFFD\nONE\n", latin("caf\xe9\r\nONE\r\n")],
  [
    "one wrong byte",
    Buffer.from("ab80c3a90a780a", "hex"),
    "\uFFFD\uFFFDé\ny\n",
    Buffer.from("ab80c3a90a790a", "hex"),
  ],
  [
    "UTF-16",
    Buffer.from("\uFEFFä\r\nb\r\n", "utf16le"),
    "ä\nB\n",
    Buffer.from("\uFEFFä\r\nB\r\n", "utf16le"),
  ],
  ["UTF-16, the other way round", bigEndian("\uFEFFä\nb"), "\uFEFFä\n😀", bigEndian("\uFEFFä\n😀")],
  ["UTF-8 with CRLF", Buffer.from("\uFEFFä\r\nb"), "ä\nB", Buffer.from("\uFEFFä\r\nB")],
])("what has not changed keeps its bytes in a file in %s", async (_, before, text, after) => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, before);
  await writeReviewedFile(path, text, { before: { bytes: before } });
  expect(readFileSync(path)).toEqual(after);
});

test.each([
  ["a line with such a byte changes", "caf\uFFFD!\nr\uFFFD\nr\uFFFD\n"],
  ["it gets characters whose bytes are not known", "caf\uFFFD\nr\uFFFD\nr\uFFFD\nß\n"],
  ["one of two lines goes that look the same", "caf\uFFFD\nr\uFFFD\n"],
])("a file that is not UTF-8 is left alone where %s", async (_, text) => {
  const path = join(privateFolder(), "a");
  const before = latin("caf\xe9\nr\xe9\nr\xe8\n");
  writeFileSync(path, before);
  await expect(writeReviewedFile(path, text)).rejects.toThrow("it is not UTF-8");
  expect(readFileSync(path)).toEqual(before);
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

  test("what git takes for its own is not written, in every layout", async () => {
    const { base, root } = openFolder();
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: root });
    git("init", "-q", "main");
    writeFileSync(join(root, "main", "a"), "a");
    git("-C", "main", "add", ".");
    git("-C", "main", "commit", "-qm", "x");
    git("-C", "main", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./", "sub");
    git("clone", "-q", "--bare", "main", "bare");
    git("-C", "bare", "worktree", "add", "-q", "tree");
    git("init", "-q", `--separate-git-dir=${join(root, "apart")}`, "linked");
    git("-C", "main", "config", "core.hooksPath", ".husky/_");
    git("-C", "main", "config", "filter.x.clean", "sh ./scripts/clean.sh %f");
    git("-C", "main", "config", "include.path", "../team.gitconfig");
    mkdirSync(join(root, "half", "objects"), { recursive: true });
    mkdirSync(join(root, "half", "refs"));
    const own = [
      ...[".git/hooks/pre-commit", "new/.git/config", ".GIT/config", "linked/.git", "main/sub/.git"],
      ...[".g\u200cit/config", "GIT~1/config", ".git./config"],
      ...[
        "main/.git/modules/sub/config",
        "bare/config",
        "bare/hooks/post-commit",
        "bare/worktrees/tree/config",
      ],
      ...["apart/config", "half/HEAD", "main/.husky/_/pre-commit", "main/.husky/pre-commit"],
      ...["main/scripts/clean.sh", "main/team.gitconfig"],
    ];
    for (const path of own)
      await expect(writeReviewedFile(join(root, path), "x", { within: [root] }), path).rejects.toThrow(
        "it belongs to git",
      );
    // The user may have opened such a folder itself.
    await expect(
      writeReviewedFile(join(root, "bare", "config"), "x", { within: [join(root, "bare")] }),
    ).rejects.toThrow("it belongs to git");
    const others = [
      ...[
        "main/.gitignore",
        "main/.gitattributes",
        "main/.gitmodules",
        "main/scripts/other.sh",
        "main/sub/a",
      ],
      ...["bare/tree/a", "linked/a", "HEAD", "objects/a", "main/config", "main/.husky.md"],
    ];
    for (const path of others) await writeReviewedFile(join(root, path), "x", { within: [root] });
    expect(readFileSync(join(root, "bare", "tree", "a"), "utf8")).toBe("x");
    expect(readdirSync(base).sort()).toEqual(["outside", "root"]);
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
