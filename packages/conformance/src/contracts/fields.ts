import { isJson, type Json } from "../wire/json-rpc.ts";
import { quote } from "./check.ts";

type Is = (value: unknown) => boolean;

/** What a field must be: a value, or whatever a function takes. */
export type Want = Is | string | number | boolean;

/** Every field that is not as it must be, as a sentence. */
export const problemsOfFields = (fields: Json, wanted: Readonly<Record<string, Want>>): readonly string[] =>
  Object.entries(wanted).flatMap(([name, want]) => {
    const value = fields[name];
    if (typeof want === "function") return want(value) ? [] : [`${name} is ${quote(value)}`];
    return value === want ? [] : [`${name} is ${quote(value)}, not ${quote(want)}`];
  });

export const isText: Is = (value) => typeof value === "string";

/** Whether it is a text that is not empty. */
export const isName: Is = (value) => isText(value) && value !== "";

export const isNumber: Is = (value) => typeof value === "number";

export const isBoolean: Is = (value) => typeof value === "boolean";

export const optional =
  (is: Is): Is =>
  (value) =>
    value === undefined || is(value);

/** A place in a text. @param first the number of its first line, and of the first character of a line */
export const isPlaceFrom =
  (first: number): Is =>
  (place) =>
    isJson(place) &&
    [place.line, place.character].every((value) => Number.isInteger(value) && Number(value) >= first);

const isPlace = isPlaceFrom(0);

/** Whether it says from where to where, with lines and characters from 0. */
export const isRange: Is = (range) => isJson(range) && isPlace(range.start) && isPlace(range.end);
