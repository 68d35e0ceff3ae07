import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The small project that the pictures show, and what the agents make of it. */
const cart = `import { Item, Price } from "./item";
import { currentRates } from "./rates";

/** Everything a customer has put aside. */
export class Cart {
  private items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  remove(id: string): void {
    this.items = this.items.filter((item) => item.id !== id);
  }

  total(): Price {
    let sum = 0;
    for (let i = 0; i < this.items.length; i++) {
      sum = sum + this.items[i].price;
    }
    return { amount: sum, currency: "EUR" };
  }

  isEmpty(): boolean {
    return this.items.length == 0;
  }

  describe(): string {
    const total = this.total();
    return this.items.length + " items, " + total.amount + " " + total.currency;
  }
}
`;

const proposedCart = cart
  .replace(
    `  total(): Price {
    let sum = 0;
    for (let i = 0; i < this.items.length; i++) {
      sum = sum + this.items[i].price;
    }
    return { amount: sum, currency: "EUR" };
  }`,
    `  /** @param currency of the customer; prices are converted at today's rates */
  total(currency = "EUR"): Price {
    const rates = currentRates(currency);
    const amount = this.items.reduce((sum, item) => sum + item.price * rates[item.currency], 0);
    return { amount, currency };
  }`,
  )
  .replace("length == 0", "length === 0")
  .replace(
    'this.items.length + " items, " + total.amount + " " + total.currency',
    `\`\${this.items.length} items, \${total.amount} \${total.currency}\``,
  );

export const files = {
  ".gitignore": "node_modules\ndist\n",
  "README.md": "# Shop\n\nA cart, its items, and what they cost.\n",
  "package.json": '{\n  "name": "shop",\n  "type": "module"\n}\n',
  "dist/cart.js": "",
  "node_modules/left/index.js": "",
  "src/cart.ts": cart,
  "src/item.ts": "export interface Price {\n  amount: number;\n  currency: string;\n}\n",
  "src/rates.ts": "export function currentRates(base: string) {\n  return { [base]: 1 };\n}\n",
  "test/cart.test.ts": 'import { Cart } from "../src/cart";\n',
};

/** Agent, file, proposed text. */
export const proposals = [
  ["Gemini CLI", "src/cart.ts", proposedCart],
  [
    "Qwen Code",
    "test/cart.test.ts",
    `${files["test/cart.test.ts"]}\ntest("an empty cart costs nothing", () => {\n  expect(new Cart().total().amount).toBe(0);\n});\n`,
  ],
];

/** An earlier decision. */
export const settled = [
  "Gemini CLI",
  "src/item.ts",
  files["src/item.ts"].replace("string;", 'string = "EUR";'),
];

/** Writes the project into a folder. */
export async function writeSample(folder) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}
