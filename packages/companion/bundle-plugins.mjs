/**
 * Error messages of zod in 40 languages, which nobody asks for.
 * @type {import("esbuild").Plugin}
 */
export const englishOnly = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * The MCP SDK checks by ajv what users type into forms of a server. Ours has no forms, and the checker is a fifth of all code.
 * @type {import("esbuild").Plugin}
 */
export const withoutForms = {
  name: "without-forms",
  setup({ onResolve, onLoad }) {
    const shims = /^@modelcontextprotocol\/server\/_shims$/;
    onResolve({ filter: shims }, () => ({ path: "shims", namespace: "without-forms" }));
    onLoad({ filter: /.*/, namespace: "without-forms" }, () => ({
      contents: `
        export { default as process } from "node:process";
        export class DefaultJsonSchemaValidator {
          getValidator() {
            throw new Error("this companion shows no forms");
          }
        }`,
    }));
  },
};
