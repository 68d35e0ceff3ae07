import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt, command } from "../command.mjs";
import { inRepository } from "../repository.mjs";
import { withLock } from "./lock.mjs";

/** Editors that the system has only in older versions, or not at all; from newer Debians, next to the system. */
const sets = {
  test: {
    suite: "trixie",
    names: "Neovim and Helix",
    packages: ["neovim", "hx"],
    /** Executables whose libraries are looked for in the same folder. */
    programs: ["usr/bin/nvim", "usr/lib/hx/hx"],
  },
  // Neovim has `vim.pack` since 0.12.
  matrix: { suite: "forky", names: "Newer editors", packages: ["neovim"], programs: ["usr/bin/nvim"] },
};

const debianTools = ["/usr/bin/mmdebstrap", "/usr/bin/apt-get"];
const patchelf = "/usr/bin/patchelf";

/**
 * Unpacks some of them into the cache, unless they are there.
 * @param {keyof typeof sets} name
 * @returns {Promise<string | undefined>} why they could not be had
 */
export async function installUnpackedEditors(name) {
  const set = sets[name];
  const { suite, names } = set;
  const folder = inRepository(".cache", `${suite}-editors`);
  /** Holds the folder for which the programs were patched: they know their libraries by absolute paths. */
  const stamp = join(folder, "installed");
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, "utf8") === folder;
  if (isInstalled()) return undefined;
  if (!existsSync(patchelf)) return `${names} cannot be unpacked without patchelf`;
  try {
    await mkdir(inRepository(".cache"), { recursive: true });
    return await withLock(`${folder}.lock`, async () => {
      if (isInstalled()) return undefined;
      const obstacle = existsSync(stamp) ? undefined : await unpack(set, folder);
      if (obstacle !== undefined) return obstacle;
      await patch(set, folder);
      await writeFile(`${stamp}.new`, folder);
      await rename(`${stamp}.new`, stamp);
      return undefined;
    });
  } catch (error) {
    return `${names} could not be unpacked: ${error.message.trim()}`;
  }
}

/** @returns {Promise<string | undefined>} why it cannot be done here */
async function unpack({ suite, names, packages }, folder) {
  if (process.getuid?.() !== 0) return `${names} cannot be unpacked but by root`;
  if (!debianTools.every((tool) => existsSync(tool))) {
    return `${names} cannot be unpacked without Debian's mmdebstrap and apt-get`;
  }
  const mirror = await findMirror();
  if (mirror === undefined) return `${names} come from a Debian mirror, and apt names none here`;
  console.log(`Unpacking ${packages.join(" and ")} of Debian ${suite} …`);
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  // A mirror may be some weeks behind: who has signed its lists is checked, and not when.
  const late = '--aptopt=Acquire::Check-Valid-Until "false"';
  const options = ["--variant=extract", "--mode=root", late, `--include=${packages.join(",")}`];
  await command("mmdebstrap", [...options, suite, fresh, mirror], { quiet: true });
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return undefined;
}

/** Also after the repository was moved. */
async function patch({ programs }, folder) {
  const libraries = join(folder, "usr", "lib", "x86_64-linux-gnu");
  const loader = join(folder, "usr", "lib64", "ld-linux-x86-64.so.2");
  for (const program of programs) {
    const place = join(folder, program);
    const fresh = `${place}.new`;
    const options = ["--set-interpreter", loader, "--set-rpath", libraries, "--output", fresh];
    await command(patchelf, [...options, place], { quiet: true });
    await rename(fresh, place);
  }
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
