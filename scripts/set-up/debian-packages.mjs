import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "../command.mjs";
import { withLock } from "./lock.mjs";

/** What unpacks programs of newer Debians. */
const mmdebstrap = "/usr/bin/mmdebstrap";

/** Packages by who needs them, each with the file by which we know that it is there. A commit needs the first two sets. */
const sets = {
  unpack: { mmdebstrap, patchelf: "/usr/bin/patchelf" },
  test: {
    chromium: "/usr/bin/chromium",
    "chromium-headless-shell": "/usr/bin/chromium-headless-shell",
    "dbus-x11": "/usr/bin/dbus-launch",
    "elpa-eglot": "/usr/share/emacs/site-lisp/elpa-src/eglot-1.9/eglot.el",
    "elpa-package-lint": "/usr/share/emacs/site-lisp/elpa-src/package-lint-0.16/package-lint.el",
    "emacs-nox": "/usr/bin/emacs",
    faketime: "/usr/bin/faketime",
    fish: "/usr/bin/fish",
    imagemagick: "/usr/bin/import",
    kakoune: "/usr/bin/kak",
    kate: "/usr/bin/kate",
    "lua-check": "/usr/bin/luacheck",
    "openssh-client": "/usr/bin/ssh",
    "openssh-server": "/usr/sbin/sshd",
    tmux: "/usr/bin/tmux",
    "vim-nox": "/usr/bin/vim.nox",
    xclip: "/usr/bin/xclip",
    xdotool: "/usr/bin/xdotool",
    xvfb: "/usr/bin/Xvfb",
    zsh: "/usr/bin/zsh",
  },
  // What evaluates the formula and the flake of a release.
  rehearse: { "nix-bin": "/usr/bin/nix-instantiate", ruby: "/usr/bin/ruby" },
  // A second browser; what makes and mounts a disk as macOS and Windows have them, and builds an old VS Code.
  matrix: {
    "exfat-fuse": "/usr/sbin/mount.exfat-fuse",
    exfatprogs: "/usr/sbin/mkfs.exfat",
    "firefox-esr": "/usr/bin/firefox-esr",
    "libkrb5-dev": "/usr/include/krb5.h",
  },
  // What runs programs of Windows, and what unpacks a newer Wine.
  windows: { mmdebstrap, wine64: "/usr/lib/wine/wine64" },
};

/** Asked by Debian before a service is started; 101 forbids it. */
const policy = "/usr/sbin/policy-rc.d";

/** The fetching of Debian's lists, once. */
let updating;

/**
 * Installs those of a set that are missing, where we may.
 * @param {keyof typeof sets} name
 * @returns {Promise<string | undefined>} why some are still missing
 */
export async function installDebianPackages(name) {
  const wanted = sets[name];
  const names = missingPackages(wanted);
  if (names.length === 0) return undefined;
  const list = names.join(", ");
  if (!existsSync("/usr/bin/apt-get"))
    return `${list} not installed, and this is no Debian: please install them`;
  if (process.getuid?.() !== 0)
    return `${list} not installed: please run \`sudo apt-get install ${names.join(" ")}\``;
  await withLock(join(tmpdir(), "ide-companion-apt.lock"), async () => {
    const still = missingPackages(wanted);
    if (still.length === 0) return;
    console.log(`Installing Debian packages: ${still.join(", ")} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    updating ??= command("apt-get", ["update", "-qq"], { env, quiet: true });
    await updating;
    const options = ["-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    await withoutServices(still, () =>
      command("apt-get", ["install", ...options, ...still], { env, quiet: true }),
    );
  });
  return undefined;
}

/** Debian starts what it installs as a service, now and at the next start: a machine must not listen for our tests. */
async function withoutServices(names, install) {
  const isOurs = !existsSync(policy);
  if (isOurs) await writeFile(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await install();
  } finally {
    if (isOurs) await rm(policy);
  }
  if (names.includes("openssh-server")) await command("update-rc.d", ["ssh", "disable"], { quiet: true });
}

function missingPackages(wanted) {
  return Object.keys(wanted).filter((name) => !existsSync(wanted[name]));
}
