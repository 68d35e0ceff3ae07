import { faultsPart } from "./faults/part.ts";
import type { Part } from "./part.ts";
import { sequences } from "./sequences/sequences.ts";
import { wire } from "./wire/wire.ts";

/** Every part, by what it tortures. One line each. */
export const parts: readonly Part[] = [faultsPart, sequences, wire];
