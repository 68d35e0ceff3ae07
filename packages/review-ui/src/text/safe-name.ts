/** One way to write hostile names, in the page as in the terminal. */
export { safeName } from "../../../companion/src/files/safe-text.ts";
