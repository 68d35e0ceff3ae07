import { type Content, type Layer, unknown } from "./entries.ts";
import type { Reverted } from "./reverted-news.ts";
import { type Bytes, isSame, type Texts } from "./texts.ts";

/**
 * What agents have made of one file and nobody has looked at, oldest first. Each layer begins with what the one below
 * ends with, and the last one ends with the file as it is.
 */
export type Layers = readonly Layer[];

/** What a decision would make of a file. */
export interface Plan {
  readonly path: string;
  readonly former: Layers;
  readonly layers: Layers;
  /** What the file holds, and would hold. */
  readonly now: Content;
  readonly after: Content;
  readonly reverted?: readonly Reverted[];
}

/** What a revert makes of a file. */
export interface RevertedTexts {
  readonly path: string;
  readonly before: Bytes | undefined;
  readonly after: Bytes | undefined;
}

const topOf = (layers: Layers): Content | undefined => layers.at(-1)?.after;

const withoutEmpty = (layers: Layers): Layers => layers.filter(({ before, after }) => !isSame(before, after));

/** What a file held before and after an agent has written it; before is undefined where that is as it was last. */
export interface Writing {
  readonly before: Content | undefined;
  readonly after: Content;
}

export function addWriting(layers: Layers, turn: string, { before, after }: Writing, texts: Texts): Layers {
  const isUnknown = before !== undefined && isSame(before, unknown);
  const known = before && !isUnknown ? addOwn(layers, before, texts) : layers;
  const last = known.at(-1);
  const isOfLast = last?.turn === turn;
  // What others have made of the file since the last layer is not the agent's.
  const from = isUnknown ? before : isOfLast ? last.before : (topOf(known) ?? before ?? unknown);
  const layer = { ...(isOfLast && last), turn, before: from, after };
  return withoutEmpty([...(isOfLast ? known.slice(0, -1) : known), layer]);
}

/**
 * The user has changed the file: in lines that no agent has touched that is nobody's to look at, and in others it is a
 * part of the agent's change. A file that is as it was before all of them has nothing to look at.
 */
export function addOwn(layers: Layers, now: Content, texts: Texts): Layers {
  const top = topOf(layers);
  if (top === undefined || isSame(top, now)) return layers;
  if (layers[0] && isSame(layers[0].before, now)) return [];
  const changed = layers.map((layer) => ({
    ...layer,
    before: texts.adopt(layer.before, top, now),
    after: texts.adopt(layer.after, top, now),
    ...([layer.before, top].some(isNothing) && { isTouched: true }),
  }));
  return withoutEmpty(changed);
}

const isNothing = (content: Content): boolean => "text" in content && content.text === null;

/** A layer begins with this from now on: nobody has to look at the rest of it. Those below get it as well. */
export function keepPart(layers: Layers, index: number, before: Content, texts: Texts): Layers {
  const former = layers[index]?.before;
  if (former === undefined) return layers;
  const changed = layers.map((layer, at) => {
    if (at > index) return layer;
    if (at === index) return { ...layer, before };
    return {
      ...layer,
      before: texts.adopt(layer.before, former, before),
      after: texts.adopt(layer.after, former, before),
    };
  });
  return withoutEmpty(changed);
}

/**
 * A layer ends with this from now on, and those above without what was taken out of it.
 * @returns undefined where one of those has changed the same lines
 */
export function takeOut(layers: Layers, index: number, after: Content, texts: Texts): Layers | undefined {
  const former = layers[index]?.after;
  if (former === undefined) return layers;
  const changed: Layer[] = [];
  for (const [at, layer] of layers.entries()) {
    const start = at > index ? texts.merge(layer.before, former, after) : layer.before;
    const end = at > index ? texts.merge(layer.after, former, after) : at === index ? after : layer.after;
    if (start === undefined || end === undefined) return undefined;
    changed.push({ ...layer, before: start, after: end });
  }
  return changed;
}
