/** Set where a file of each commit gives the matrix what it has for it. */
export const isMatrix = process.env.TEST_MATRIX === "1";
