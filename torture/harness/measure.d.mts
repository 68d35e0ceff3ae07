import type { Holding } from "../soak/flat.ts";
export function measure(): Promise<Holding>;
