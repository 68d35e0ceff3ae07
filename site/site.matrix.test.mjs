import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shellOptions } from "../packages/testkit/src/browser.mjs";
import { inRepository } from "../scripts/repository.mjs";

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

let folder;
let server;
let browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "site-"));
  await promisify(execFile)(process.execPath, [inRepository("site", "build.mjs"), folder]);
  server = createServer(async (request, response) => {
    const path = decodeURI(new URL(request.url, "http://127.0.0.1").pathname).replace(/\/$/, "/index.html");
    const content = await readFile(join(folder, path)).catch(() => undefined);
    response.writeHead(content ? 200 : 404, { "content-type": types[extname(path)] ?? "image/png" });
    response.end(content);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch(shellOptions);
}, 600_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("every page of the site loads all that it names, and fits a phone", { timeout: 600_000 }, async () => {
  const pages = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".html"));
  expect(pages.length).toBeGreaterThan(40);
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  const faults = [];
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  for (const file of pages.filter((name) => name !== "404.html")) {
    const path = relative(folder, join(folder, file)).replaceAll(sep, "/");
    await page.goto(`http://127.0.0.1:${server.address().port}/${path}`, { waitUntil: "networkidle" });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) faults.push(`${path} is ${excess} pixels too wide`);
  }
  expect(faults).toEqual([]);
});

test("the menu of languages leads from every kind of page to one that is there", {
  timeout: 120_000,
}, async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const address = `http://127.0.0.1:${server.address().port}`;
  for (const [from, label, to, lang] of [
    ["/index.html", "简体中文", "/zh-CN/start/first-review.html", "zh-CN"],
    ["/editors/emacs.html", "Português (Brasil)", "/editors/emacs.html", "en"],
    ["/zh-TW/editors/index.html", "English", "/editors/", "en"],
    ["/reference/commands.html", "繁體中文", "/reference/commands.html", "en"],
  ]) {
    await page.goto(`${address}${from}`, { waitUntil: "networkidle" });
    await page.locator(".VPNavBarTranslations").hover();
    await page.getByRole("link", { name: label, exact: true }).click();
    await page.waitForURL(`${address}${to}`);
    await page.locator(`html[lang="${lang}"]`).waitFor({ state: "attached" });
    expect(await page.locator(".NotFound").count(), to).toBe(0);
  }
});

test("the search finds a page by a word of it, in a dark theme", { timeout: 120_000 }, async () => {
  const page = await browser.newPage({ colorScheme: "dark" });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox").fill("acceptance");
  await page.locator(".result").first().waitFor();
  expect(await page.locator(".result").count()).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(true);
});
