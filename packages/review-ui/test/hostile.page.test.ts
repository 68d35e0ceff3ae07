import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures({ mayComplain: true });

const script = "<img src=x onerror=\"document.title='mine'\">";
const names = {
  [`${script.replaceAll("/", "")}.html`]: "markup",
  "invoice\u202Etxt.exe": "turned around",
  "a\nb \x1b[2J.ts": "two lines and an escape",
  [`${"long ".repeat(40)}.md`]: "long",
  "[link](javascript:alert(1)).md": "Markdown",
};
const content = `</script>${script}\n<script>document.title = "mine"</script>\n${"x".repeat(200_000)}\n\x1b]0;mine\x07\n`;

test("hostile names and texts are shown literally, and nothing in them runs", async () => {
  const fixture = await setUp({
    files: Object.fromEntries(Object.keys(names).map((name) => [name, content])),
  });
  const { page, propose } = fixture;
  const agent = `${script} [x](y)`;
  for (const shown of ["invoice⟨202E⟩txt.exe", "a⟨000A⟩b ⟨001B⟩[2J.ts", "[link](javascript:alert(1)).md"]) {
    await page.getByRole("treeitem", { name: shown, exact: true }).waitFor();
  }
  for (const name of Object.keys(names)) {
    await propose(name, `${content}${script}\n`, agent);
  }
  await page.getByRole("treeitem", { name: "invoice" }).click();
  await page
    .getByRole("tab", { name: /invoice⟨202E⟩txt\.exe/ })
    .first()
    .waitFor();
  const waiting = page
    .getByRole("region", { name: /^Waiting/ })
    .getByRole("listitem")
    .getByRole("button");
  for (const button of await waiting.all()) {
    await button.click();
    await page.getByRole("button", { name: "Accept", exact: true }).waitFor();
  }
  const seen = await page.evaluate(() => ({
    title: document.title,
    images: document.querySelectorAll("img[src], [onerror]").length,
    links: [...document.querySelectorAll("a")].map(({ href }) => href),
    text: document.body.textContent,
  }));
  expect(seen.title).not.toContain("mine");
  expect(seen.images).toBe(0);
  expect(seen.links.filter((href) => href.startsWith("javascript:"))).toEqual([]);
  expect(seen.text).toContain(`${script}`);
  expect(fixture.complaints).toEqual([]);
});
