import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Random values, the same for the same seed. */
export interface Random {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  /** True in `percent` of 100 cases. */
  happens(percent: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed | 0);
  const between = (least: number, most: number) => uniformInt(generator, least, most);
  return {
    between,
    happens: (percent) => between(0, 99) < percent,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
  };
}
