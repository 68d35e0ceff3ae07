import { existsSync, readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt, command } from "../command.mjs";
import { inRepository } from "../repository.mjs";
import { reasonAgainst, unlessDone } from "./lock.mjs";

/** Programs that the system has only in older versions, or not at all; from newer Debians, next to the system. */
const sets = {
  test: {
    suite: "trixie",
    folder: "trixie-editors",
    names: "Neovim and Helix",
    packages: ["neovim", "hx"],
    /** Executables whose libraries are looked for in the same folder. */
    programs: ["usr/bin/nvim", "usr/lib/hx/hx"],
  },
  // Neovim has `vim.pack` since 0.12.
  matrix: {
    suite: "forky",
    folder: "forky-editors",
    names: "Newer editors",
    packages: ["neovim"],
    programs: ["usr/bin/nvim"],
  },
  // Node 24 and later need Wine 10. It looks for its parts in /usr alone, so a program that starts it puts the folder there.
  windows: {
    suite: "trixie",
    folder: "trixie-wine",
    names: "Wine 10",
    // Without its locale C.UTF-8, Wine finds no file with a letter outside of ASCII.
    packages: ["wine64", "libc-bin"],
    programs: [],
    finish: addZlibToWine,
  },
  versions: {
    suite: "trixie",
    folder: "newer-editors",
    names: "Newer Emacs with Evil, Vim and Kakoune",
    packages: ["emacs-nox", "elpa-evil", "vim-nox", "kakoune"],
    programs: ["usr/bin/emacs-nox", "usr/bin/vim.nox", "usr/bin/kak"],
  },
};

const debianTools = ["/usr/bin/mmdebstrap", "/usr/bin/apt-get"];
const patchelf = "/usr/bin/patchelf";
const x64 = "usr/lib/x86_64-linux-gnu";

/**
 * Unpacks some of them into the cache, unless they are there.
 * @param {keyof typeof sets} name
 * @returns {Promise<string | undefined>} why they could not be had
 */
export async function installUnpackedPrograms(name) {
  const set = sets[name];
  const { names, packages, programs } = set;
  const folder = inRepository(".cache", set.folder);
  /** Holds the folder for which the programs were patched: they know their libraries by absolute paths. */
  const stamp = join(folder, "installed");
  const isUnpacked = () => readIfThere(listIn(folder)) === packages.join(" ");
  const isInstalled = () => isUnpacked() && readIfThere(stamp) === folder;
  return reasonAgainst(`${names} could not be unpacked`, () =>
    unlessDone(set.folder, isInstalled, async () => {
      if (programs.length > 0 && !existsSync(patchelf)) throw new Error("patchelf is missing");
      if (!isUnpacked()) await unpack(set, folder);
      await patch(set, folder);
      await set.finish?.(folder);
      await writeFile(`${stamp}.new`, folder);
      await rename(`${stamp}.new`, stamp);
    }),
  );
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Names the packages that are unpacked in a folder: another list is unpacked again. */
const listIn = (folder) => join(folder, "packages");

/** @throws {Error} when it cannot be done here */
async function unpack({ suite, packages }, folder) {
  if (process.getuid?.() !== 0) throw new Error("this takes root");
  if (!debianTools.every((tool) => existsSync(tool)))
    throw new Error("Debian's mmdebstrap or apt-get is missing");
  const mirror = await findMirror();
  if (mirror === undefined) throw new Error("it comes from a Debian mirror, and apt names none here");
  console.log(`Unpacking ${packages.join(" and ")} of Debian ${suite} …`);
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  // A mirror may be some weeks behind: who has signed its lists is checked, and not when.
  const late = '--aptopt=Acquire::Check-Valid-Until "false"';
  const options = ["--variant=extract", "--mode=root", late, `--include=${packages.join(",")}`];
  await command("mmdebstrap", [...options, suite, fresh, mirror], { quiet: true });
  await writeFile(listIn(fresh), packages.join(" "));
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** Also after the repository was moved. */
async function patch({ programs }, folder) {
  const libraries = join(folder, x64);
  const loader = join(folder, "usr", "lib64", "ld-linux-x86-64.so.2");
  for (const program of programs) {
    const place = join(folder, program);
    const fresh = `${place}.new`;
    // Not a run path, which the libraries of libraries would not inherit.
    const options = [
      "--set-interpreter",
      loader,
      "--force-rpath",
      "--set-rpath",
      libraries,
      "--output",
      fresh,
    ];
    await command(patchelf, [...options, place], { quiet: true });
    await rename(fresh, place);
  }
}

/** What Debian does when it installs Wine: a copy of a library that programs of Windows load, marked as a part of Wine. */
async function addZlibToWine(folder) {
  const library = await readFile(join(folder, "usr", "x86_64-w64-mingw32", "lib", "zlib1.dll"));
  // Wine reads the mark where a program of DOS would begin.
  library.fill(0, 64, 96).write("Wine builtin DLL", 64, "latin1");
  await writeFile(join(folder, x64, "wine", "x86_64-windows", "zlib1.dll"), library);
}

/** The mirror that apt is set up with; read when it is needed and written nowhere. */
async function findMirror() {
  const format = "$(LABEL) $(REPO_URI)";
  const { code, output } = await attempt(
    "apt-get",
    ["indextargets", "--format", format, "Created-By: Packages"],
    { quiet: true },
  );
  if (code !== 0) return undefined;
  const line = output.split("\n").find((candidate) => candidate.startsWith("Debian http"));
  return line?.slice("Debian ".length);
}
