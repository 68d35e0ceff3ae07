import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { privateFolder } from "../packages/testkit/src/private-folder.ts";
import { inRepository } from "../scripts/repository.mjs";
import { copyRepository, digestsOfBundles, twoFolders } from "./reproduce.mjs";
import { writeBills } from "./sbom.mjs";

test.skipIf(process.platform !== "linux")(
  "the bundles are the same bytes, wherever they are built",
  async () => {
    const [one, other] = twoFolders(privateFolder());
    await Promise.all([one, other].map(copyRepository));
    const digests = await Promise.all([one, other].map(digestsOfBundles));
    expect(digests[0].size).toBeGreaterThan(50);
    expect(Object.fromEntries(digests[1])).toEqual(Object.fromEntries(digests[0]));
  },
);

test("the bills of materials name what is bundled, by version", async () => {
  const bills = await writeBills(privateFolder());
  const texts = await Promise.all(bills.map((bill) => readFile(bill, "utf8")));
  const components = texts.flatMap((text) => JSON.parse(text).components);
  const named = components.map(({ group, name, version }) =>
    group === undefined ? `${name}@${version}` : `${group}/${name}@${version}`,
  );
  const notices = await readFile(inRepository("packages", "companion", "THIRD-PARTY-NOTICES.md"), "utf8");
  const bundled = [...notices.matchAll(/^- (\S+) (\S+), /gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
  expect(bundled.length).toBeGreaterThan(50);
  const missing = bundled.filter((one) => !named.includes(one));
  expect(missing).toEqual([]);
});
