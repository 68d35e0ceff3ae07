import { register } from "node:module";

// Lets Node run the sources as they are, also in a child: `node --import torture/typescript.mjs FILE.ts`.
register("./typescript-loader.mjs", import.meta.url);
