import type { Fixture, FixtureOptions } from "./page-harness.ts";
import { button, cart, dialog, dismissNotices, openFile, rates, svg, unify } from "./state-steps.ts";

/** What a user can have before their eyes. */
export interface PageState {
  readonly name: string;
  readonly options?: Omit<FixtureOptions, "files">;
  readonly arrange: (fixture: Fixture) => Promise<unknown>;
}

/** An agent writes several files of a turn without asking, and has written one before. */
async function writeUnasked({ page, turn }: Fixture): Promise<void> {
  await turn("Use the rates of the day", { "src/rates.ts": `${rates}// of the day\n` });
  await turn("Show prices in the currency of the customer, and say so in the README", {
    "src/cart.ts": cart,
    "src/discount.ts": "export const discount = 0.1;\n".repeat(3),
    "src/item.ts": null,
    "logo.svg": svg("orange"),
  });
  await page
    .getByRole("region", { name: /^Written/ })
    .getByText("logo.svg")
    .waitFor();
}

async function readUnasked(fixture: Fixture): Promise<void> {
  await writeUnasked(fixture);
  await fixture.page.keyboard.press("W");
  await fixture.page.locator(".scroll-file .hunk-bar").first().waitFor();
  await dismissNotices(fixture.page);
}

/** What a user sees of what agents have written without asking. */
export const written: readonly PageState[] = [
  { name: "written", arrange: writeUnasked },
  { name: "written turn", arrange: readUnasked },
  {
    name: "written turn, unified, one file viewed",
    arrange: async (fixture) => {
      await unify(fixture, readUnasked);
      await fixture.page.keyboard.press("V");
      await fixture.page.getByRole("img", { name: "Viewed" }).waitFor();
    },
  },
  {
    name: "written turn to revert",
    arrange: async (fixture) => {
      await readUnasked(fixture);
      await button(fixture.page, "Revert the turn …").click();
      await dialog(fixture.page).getByText("Files that a change has made are deleted.").waitFor();
    },
  },
  {
    name: "written change reverted",
    arrange: async (fixture) => {
      await readUnasked(fixture);
      await fixture.page.keyboard.press("n");
      await fixture.page.getByText("Reverted: change 1").first().waitFor();
    },
  },
  {
    name: "written file",
    arrange: async (fixture) => {
      await writeUnasked(fixture);
      await openFile(fixture.page, "cart.ts");
      await fixture.page.locator(".cm-written").first().waitFor();
      await fixture.page.keyboard.press("Escape");
    },
  },
];
