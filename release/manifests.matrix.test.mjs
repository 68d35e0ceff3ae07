import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeManifests } from "./manifests.mjs";
import { pack } from "./pack.mjs";

const run = promisify(execFile);
const ruby = "/usr/bin/ruby";
const nix = "/usr/bin/nix-instantiate";

const url = "https://packages.example.org/ide-companion/-/ide-companion.tgz";

let root;
let packed;
let version;
/** The fields that all have. */
let expected;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "manifests-")));
  packed = await pack("packages/companion", join(root, "packed"));
  await writeManifests(root, packed, "someone/ide-companion", url);
  const manifest = JSON.parse(await readFile(join(packed.folder, "package.json"), "utf8"));
  version = manifest.version;
  expected = { homepage: "https://github.com/someone/ide-companion", url };
}, 120_000);
afterAll(() => rm(root, { recursive: true, force: true }));

const digest = async (encoding) =>
  createHash("sha256")
    .update(await readFile(packed.tarball))
    .digest(encoding);

test.skipIf(!existsSync(ruby))(
  "the Homebrew formula is Ruby, and has the tarball's address and digest",
  async () => {
    // What Homebrew's base class reads.
    const reader = `
    require "json"
    class Formula
      def self.fields = (@fields ||= {})
      %w[desc homepage url sha256 license depends_on].each do |name|
        define_singleton_method(name) { |value| fields[name] = value }
      end
      def self.test(&block) = fields["test"] = !block.nil?
    end
    load ARGV[0]
    puts JSON.generate(IdeCompanion.fields.merge(installs: IdeCompanion.method_defined?(:install)))`;
    const { stdout } = await run(ruby, ["-e", reader, join(root, "ide-companion.rb")]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...expected,
      sha256: await digest("hex"),
      license: "Apache-2.0",
      depends_on: "node",
      test: true,
      installs: true,
    });
  },
);

test("the Scoop manifest has the tarball's address and digest, and starts a file of the package", async () => {
  const manifest = JSON.parse(await readFile(join(root, "ide-companion.json"), "utf8"));
  expect(manifest).toMatchObject({ ...expected, version, hash: await digest("hex"), license: "Apache-2.0" });
  const [, program = ""] = /%~dp0([^"]+)"/.exec(manifest.pre_install) ?? [];
  expect(packed.files).toContain(program.replaceAll("\\", "/"));
  expect(manifest.pre_install).toContain(`"$dir\\${manifest.bin}"`);
  expect(manifest.extract_dir).toBe("package");
});

test("the Nix flake has the tarball's address and digest, and starts a file of the package", async () => {
  const flake = await readFile(join(root, "flake.nix"), "utf8");
  expect(flake).toContain(`url = "${expected.url}";`);
  expect(flake).toContain(`hash = "sha256-${await digest("base64")}";`);
  expect(flake).toContain(`version = "${version}";`);
  const [, program] = /--add-flags \$out\/lib\/ide-companion\/(\S+)/.exec(flake) ?? [];
  expect(packed.files).toContain(program);
});

test.skipIf(!existsSync(nix))("Nix evaluates the flake to a package for four systems", async () => {
  const file = join(root, "evaluate.nix");
  await writeFile(
    file,
    `let
      pkgs = {
        stdenvNoCC.mkDerivation = attributes: attributes;
        fetchurl = { url, hash }: { inherit url hash; };
        makeWrapper = "makeWrapper";
        nodejs = "/nodejs";
        lib.licenses.asl20 = "Apache-2.0";
      };
      nixpkgs = {
        lib.genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
        legacyPackages = { x86_64-linux = pkgs; aarch64-linux = pkgs; x86_64-darwin = pkgs; aarch64-darwin = pkgs; };
      };
      packages = ((import ./flake.nix).outputs { self = { }; inherit nixpkgs; }).packages;
    in
    builtins.mapAttrs (_: { default }: { inherit (default) pname version src; }) packages`,
  );
  const env = {
    ...process.env,
    HOME: root,
    NIX_STATE_DIR: join(root, "state"),
    NIX_STORE_DIR: join(root, "store"),
  };
  const { stdout } = await run(nix, ["--eval", "--strict", "--json", file], { env });
  const one = {
    pname: "ide-companion",
    version,
    src: { url: expected.url, hash: `sha256-${await digest("base64")}` },
  };
  expect(JSON.parse(stdout)).toEqual({
    "aarch64-darwin": one,
    "aarch64-linux": one,
    "x86_64-darwin": one,
    "x86_64-linux": one,
  });
});

test("a manifest is refused without the name of a repository", async () => {
  await expect(writeManifests(root, packed, "", url)).rejects.toThrow("not the name of a repository");
});

test.each(["", "ide-companion.tgz", `${url}"`, `${url}\n`, "https://packages.example.org/#{exit}"])(
  "a manifest is refused for %j, which is no address of a tarball",
  async (other) => {
    const written = writeManifests(root, packed, "someone/ide-companion", other);
    await expect(written).rejects.toThrow("not the address of a tarball");
  },
);
