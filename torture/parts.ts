import type { Part } from "./part.ts";
import { sequences } from "./sequences/sequences.ts";
import { wire } from "./wire/wire.ts";
import { written } from "./written/written.ts";

/** Every part, by what it tortures. */
export const parts: readonly Part[] = [sequences, wire, written];
