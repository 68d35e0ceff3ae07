import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { stateFolder } from "../../system/host.ts";
import { privateHost } from "../../testing/core.ts";
import { toSharedContext } from "../context.ts";
import { combineRules, noRules, parseUserRules } from "./exclusion.ts";
import { createSharing, type SharingOptions } from "./sharing.ts";

function start(options: Partial<SharingOptions> = {}) {
  const root = privateFolder();
  const host = privateHost();
  mkdirSync(host.home);
  const sharing = createSharing({ host, roots: () => [root], ...options });
  onTestFinished(sharing.close);
  return { sharing, root, host: options.host ?? host };
}

describe("by default", () => {
  test.each([
    ".env",
    ".env.production",
    "deep/prod.env",
    ".envrc",
    "server.pem",
    "TLS.KEY",
    "id_rsa",
    "id_ed25519_work",
    ".npmrc",
    ".netrc",
    ".git-credentials",
    "config/credentials.json",
    ".aws/credentials",
    "secrets.yml",
    "deploy/my-secret.yaml",
    "db_passwords.txt",
    "terraform.tfvars",
    "AuthKey_ABC.p8",
    "deploy_ed25519",
    ".kube/config",
    ".env~",
    "#.env#",
    ".#server.pem",
    ".server.key.swp",
    "secrets.yml.orig",
    "credentials.json.bak.2",
    "id_rsa.old",
    ".netrc.un~",
    "credentials (1).json",
    "%home%ada%shop%.npmrc",
    "server.key~20261127",
    ".password-store/mail.gpg",
  ])("%s is kept from agents", (name) => {
    const { sharing, root } = start();
    expect(sharing.isExcluded(join(root, name))).toBe(true);
  });

  test.each([
    ".env.example",
    "env.ts",
    "id_rsa.pub",
    "src/keys.ts",
    "keyboard.key.ts",
    "credentials.ts",
    "docs/secrets.md",
    "package.json",
    "package.json.orig",
    "password-reset.ts",
    "passwords.css",
    "secretStore.test.tsx",
    "api-keys.py",
    "design/tokens.json",
    "src/credentials/index.ts",
    "docs/1.2",
    "README.old",
  ])("%s is shared", (name) => {
    const { sharing, root } = start();
    expect(sharing.isExcluded(join(root, name))).toBe(false);
  });

  test("so are files outside of every open folder, by their names and the folders of keys", () => {
    const { sharing } = start();
    const paths = ["/home/ada/.ssh/config", "/home/ada/.netrc", "/home/ada/.kube/config", "/etc/hosts"];
    expect(paths.map(sharing.isExcluded)).toEqual([true, true, true, false]);
  });
});

test("of files outside of the open folders nothing is shared but a selection", () => {
  const { sharing, root } = start();
  const [inside, outside] = [join(root, "a.ts"), join(privateFolder(), "b.ts")];
  for (const file of [inside, outside]) writeFileSync(file, "x");
  const share = (activePath: string, selectedText?: string) => {
    const about = { focusedAt: 1, cursor: { line: 1, character: 1 }, ...(selectedText && { selectedText }) };
    const files = [
      { path: inside, focusedAt: 1 },
      { path: outside, ...about },
    ];
    return toSharedContext({ files, activePath }, { sharing }).context.files.map(({ path }) => path);
  };
  expect(share(outside)).toEqual([inside]);
  expect(share(inside, "x")).toEqual([inside]);
  expect(share(outside, "x")).toEqual([outside, inside]);
});

test("a file that is open by two names, one of them through a link, is one file", () => {
  const { sharing, root } = start();
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  writeFileSync(join(root, "real", "a.ts"), "x");
  const files = ["real", "link"].map((name, focusedAt) => ({ path: join(root, name, "a.ts"), focusedAt }));
  const { context } = toSharedContext({ files, activePath: files[0]?.path ?? "" }, { sharing });
  expect(context.files).toMatchObject([{ path: join(root, "link", "a.ts"), isActive: true }]);
});

test("a link is kept from agents when the file is to which it leads", () => {
  const { sharing, root } = start();
  writeFileSync(join(root, ".env"), "TOKEN=1");
  symlinkSync(".env", join(root, "notes.txt"));
  expect(sharing.isExcluded(join(root, "notes.txt"))).toBe(true);
});

test("other patterns count at once, and are compared from the open folder", () => {
  let patterns = ["/drafts/"];
  const { sharing, root } = start({ exclude: () => patterns });
  const path = join(root, "drafts", "a.md");
  expect([sharing.isExcluded(path), sharing.isExcluded(join(root, "docs", "drafts", "a"))]).toEqual([
    true,
    false,
  ]);
  patterns = [];
  expect(sharing.isExcluded(path)).toBe(false);
});

test("a link is kept from agents when git ignores the file to which it leads, or that file's folder", async () => {
  const { sharing, root } = start({ excludeGitIgnored: () => true });
  for (const folder of [".git", "build", "src"]) mkdirSync(join(root, folder));
  for (const file of ["build/a.js", "src/a.js"]) writeFileSync(join(root, file), "x");
  writeFileSync(join(root, ".gitignore"), "/build/\n");
  symlinkSync("build/a.js", join(root, "ignored.js"));
  symlinkSync("build", join(root, "out"));
  symlinkSync("src/a.js", join(root, "open.js"));
  const ignored = [join(root, "ignored.js"), join(root, "out", "a.js")];
  for (const path of ignored) expect(await sharing.check(path)).toBe(true);
  expect(await sharing.check(join(root, "open.js"))).toBe(false);
  await eventually(() => expect(sharing.isExcluded(join(root, "open.js"))).toBe(false));
  expect(ignored.map(sharing.isExcluded)).toEqual([true, true]);
});

describe("in a folder that was opened by a link", () => {
  function startInLink() {
    const real = realpathSync(privateFolder());
    const link = join(privateFolder(), "link");
    symlinkSync(real, link);
    for (const folder of ["drafts", "build"]) mkdirSync(join(real, folder));
    for (const file of ["drafts/a.md", "build/a.js"]) writeFileSync(join(real, file), "x");
    writeFileSync(join(real, ".gitignore"), "build/\n");
    const rules = { exclude: () => ["/drafts/"], excludeGitIgnored: () => true };
    return { ...start({ roots: () => [link], ...rules }), real, link };
  }

  test("a file is kept from agents by its real path as well", async () => {
    const { sharing, real, link } = startInLink();
    for (const folder of [link, real]) {
      expect(await sharing.check(join(folder, "drafts", "a.md"))).toBe(true);
      expect(await sharing.check(join(folder, "a.md"))).toBe(false);
    }
  });

  test("so is one that git ignores, also where the folder is a repository", async () => {
    const { sharing, real, link } = startInLink();
    for (const isRepository of [false, true]) {
      if (isRepository) mkdirSync(join(real, ".git"));
      for (const folder of [link, real])
        expect(await sharing.check(join(folder, "build", "a.js"))).toBe(true);
    }
  });

  test("so is a link to such a file", async () => {
    const { sharing, link } = startInLink();
    symlinkSync("drafts/a.md", join(link, "notes.txt"));
    expect(await sharing.check(join(link, "notes.txt"))).toBe(true);
  });
});

test("what git ignores is shared unless the user says otherwise, and then as soon as it is known", async () => {
  let excludeGitIgnored = false;
  const { sharing, root } = start({ excludeGitIgnored: () => excludeGitIgnored });
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".gitignore"), "private.txt\n");
  const [open, ignored] = [join(root, "open.txt"), join(root, "private.txt")];
  expect([sharing.isExcluded(open), sharing.isExcluded(ignored)]).toEqual([false, false]);
  excludeGitIgnored = true;
  let changes = 0;
  sharing.onChange(() => changes++);
  expect(sharing.isExcluded(open)).toBe(true); // not known yet
  await eventually(() => expect(changes).toBeGreaterThan(0));
  expect([sharing.isExcluded(open), await sharing.check(ignored)]).toEqual([false, true]);
});

describe("a pause", () => {
  test("counts at once, for every companion of the folder, and outlasts them", async () => {
    const { sharing, root, host } = start();
    const other = createSharing({ host, roots: () => ["/elsewhere", root] });
    const stranger = createSharing({ host, roots: () => ["/elsewhere"] });
    onTestFinished(other.close);
    onTestFinished(stranger.close);
    let changes = 0;
    sharing.onChange(() => changes++);
    sharing.pause(true);
    expect([sharing.isPaused, changes]).toEqual([true, 1]);
    await eventually(() => expect(other.isPaused).toBe(true));
    sharing.close();
    const next = start({ host, roots: () => [root] });
    expect(next.sharing.isPaused).toBe(true);
    next.sharing.pause(false);
    await eventually(() => expect(other.isPaused).toBe(false));
    expect(stranger.isPaused).toBe(false);
  });

  test("is a private file, which no token helps to change", () => {
    const { sharing, host } = start();
    sharing.pause(true);
    const folder = join(stateFolder(host), "paused");
    const [mark = ""] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, mark)).mode & 0o777).toBe(0o600);
    sharing.pause(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of a window without a folder is its own", () => {
    const { sharing, host } = start({ roots: () => [] });
    sharing.pause(true);
    expect(sharing.isPaused).toBe(true);
    expect(start({ host }).sharing.isPaused).toBe(false);
  });

  test("that cannot be remembered counts all the same, and says so", () => {
    const { sharing, host } = start();
    // A file stands where the folder would be.
    const state = stateFolder(host);
    mkdirSync(state, { recursive: true });
    chmodSync(state, 0o700);
    writeFileSync(join(state, "blocked"), "");
    const blocked = createSharing({
      host: { ...host, env: { XDG_STATE_HOME: join(state, "blocked") } },
      roots: () => ["/a"],
    });
    onTestFinished(blocked.close);
    expect(() => blocked.pause(true)).toThrow();
    expect(blocked.isPaused).toBe(true);
    expect(sharing.isPaused).toBe(false);
    expect(() => blocked.pause(false)).not.toThrow();
    expect(blocked.isPaused).toBe(false);
  });

  test("goes with the folders: another one may be paused already", () => {
    const [one, two] = [privateFolder(), privateFolder()];
    let roots = [one];
    const { sharing, host } = start({ roots: () => roots });
    start({ host, roots: () => [two] }).sharing.pause(true);
    expect(sharing.isPaused).toBe(false);
    roots = [one, two];
    sharing.refresh();
    expect(sharing.isPaused).toBe(true);
  });
});

describe("rules of the user's", () => {
  test("from several places keep what one of them keeps", () => {
    const file = parseUserRules({ exclude: ["*.log"], agentAccept: false, editor: "Kate" }, "here");
    expect(combineRules(noRules, file, { ...noRules, exclude: ["!a.log"], excludeGitIgnored: true })).toEqual(
      {
        exclude: ["*.log", "!a.log"],
        excludeGitIgnored: true,
        agentAccept: false,
        turnTitles: true,
        problems: [],
      },
    );
    expect([parseUserRules(undefined, "here"), parseUserRules(null, "here")]).toEqual([noRules, noRules]);
  });

  test.each([
    [7, "here must hold an object, got 7"],
    [["*.log"], 'here must hold an object, got ["*.log"]'],
    [{ exclude: "*.log" }, 'here: exclude must be a list of texts, got "*.log"'],
    [{ exclude: [1] }, "here: exclude must be a list of texts, got [1]"],
    [{ excludeGitIgnored: "yes" }, 'here: excludeGitIgnored must be true or false, got "yes"'],
    [{ agentAccept: 0 }, "here: agentAccept must be true or false, got 0"],
    [{ turnTitles: null }, "here: turnTitles must be true or false, got null"],
  ])("that cannot be understood keep everything: %j", (value, problem) => {
    expect(parseUserRules(value, "here")).toEqual({
      exclude: ["*"],
      excludeGitIgnored: true,
      agentAccept: false,
      turnTitles: false,
      problems: [`${problem}. Until that is put right nothing is shared with agents.`],
    });
  });
});
