import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { foldName, nameOnDisk, pickName, swapCase } from "./disk.ts";

test("a name is that of the folder where the disk tells neither cases nor forms of Unicode apart", () => {
  expect(pickName("CART.txt", ["a", "Cart.txt"])).toBe("Cart.txt");
  expect(pickName("caf\u00E9", ["cafe\u0301"])).toBe("cafe\u0301");
  expect(pickName("Cart.txt", ["cart.txt", "Cart.txt"])).toBe("Cart.txt");
  expect(pickName("new", ["Cart.txt"])).toBe("new");
  expect(foldName("CAFE\u0301")).toBe(foldName("caf\u00E9"));
  expect(swapCase("Cart 1.TXT")).toBe("cART 1.txt");
});

test("names that differ by case stay two on a disk that tells them apart", () => {
  const folder = privateFolder();
  for (const name of ["Cart.txt", "cART.TXT"]) writeFileSync(join(folder, name), "");
  // A disk of macOS or Windows has but one of them.
  if (readdirSync(folder).length < 2) return;
  expect(nameOnDisk(folder, "Cart.txt")).toBe("Cart.txt");
  expect(nameOnDisk(folder, "cART.TXT")).toBe("cART.TXT");
  expect(nameOnDisk(folder, "new.txt")).toBe("new.txt");
});
