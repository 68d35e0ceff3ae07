import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { withTemporaryFolder } from "../scripts/temporary.mjs";
import { homePageOf } from "./home-page.mjs";
import { pack } from "./pack.mjs";

/** Homebrew allows 80 characters, and no article at the beginning. */
const description = "Review what agent CLIs propose, in any editor";

/** By the name of its file: how one of the other package managers finds and installs the npm package. */
const templates = {
  "ide-companion.rb": ({ license, homepage, url, digest }) => `class IdeCompanion < Formula
  desc "${description}"
  homepage "${homepage}"
  url "${url}"
  sha256 "${digest.toString("hex")}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/ide-companion --version").strip
  end
end
`,
  "ide-companion.json": ({ version, license, homepage, url, digest, program }) => {
    const windowsPath = program.replaceAll("/", "\\");
    const manifest = {
      version,
      description,
      homepage,
      license,
      depends: "nodejs",
      url,
      hash: digest.toString("hex"),
      extract_dir: "package",
      pre_install: `Set-Content "$dir\\ide-companion.cmd" '@node "%~dp0${windowsPath}" %*'`,
      bin: "ide-companion.cmd",
    };
    return `${JSON.stringify(manifest, undefined, 4)}\n`;
  },
  "flake.nix": ({ version, homepage, url, digest, program }) => `{
  description = "${description}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      package = pkgs: pkgs.stdenvNoCC.mkDerivation {
        pname = "ide-companion";
        version = "${version}";
        src = pkgs.fetchurl {
          url = "${url}";
          hash = "sha256-${digest.toString("base64")}";
        };
        nativeBuildInputs = [ pkgs.makeWrapper ];
        dontBuild = true;
        installPhase = ''
          mkdir -p $out/lib/ide-companion
          cp -r . $out/lib/ide-companion
          makeWrapper \${pkgs.nodejs}/bin/node $out/bin/ide-companion \\
            --add-flags $out/lib/ide-companion/${program}
        '';
        meta = {
          homepage = "${homepage}";
          license = pkgs.lib.licenses.asl20;
          mainProgram = "ide-companion";
        };
      };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = package nixpkgs.legacyPackages.\${system};
      });
    };
}
`,
};

/**
 * Writes a Homebrew formula, a Scoop manifest and a Nix flake.
 * @param {string} into a folder
 * @param {{ tarball: string, folder: string }} packed the package `ide-companion`, as `pack` returns it
 * @param {string} repository ours, as in `someone/ide-companion`
 * @param {string} url where a registry serves the tarball
 * @returns {Promise<string[]>} absolute paths
 * @throws {Error} when the last two are something else
 */
export async function writeManifests(into, { tarball, folder }, repository, url) {
  const homepage = homePageOf(repository);
  // No character that means something in a text of Ruby or Nix.
  if (!/^https?:\/\/[\w.:/@+-]+$/.test(url)) throw new Error(`not the address of a tarball: ${url}`);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const facts = {
    ...manifest,
    homepage,
    url,
    digest: createHash("sha256")
      .update(await readFile(tarball))
      .digest(),
    program: manifest.bin[manifest.name],
  };
  await mkdir(into, { recursive: true });
  const paths = Object.keys(templates).map((file) => join(into, file));
  await Promise.all(Object.values(templates).map((fill, index) => writeFile(paths[index], fill(facts))));
  return paths;
}

if (isMain(import.meta)) {
  await withTemporaryFolder(async (folder) => {
    const packed = await pack("packages/companion", folder);
    const [, , repository = "", url = ""] = process.argv;
    const paths = await writeManifests(inRepository("dist", "manifests"), packed, repository, url);
    console.log(paths.join("\n"));
  });
}
