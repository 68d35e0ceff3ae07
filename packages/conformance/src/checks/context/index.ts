import type { Check } from "../check.ts";
import {
  cursor,
  debounce,
  longSelection,
  selectedText,
  staleSelection,
  starvation,
  utf16,
  wholeCharacters,
} from "./cursor.ts";
import {
  closedFile,
  deletedFile,
  everyCli,
  focusedAlone,
  focusedFile,
  focusTimes,
  tenFiles,
  unixTimes,
} from "./focus.ts";
import { contextAtOnce, contextShape, realFiles, virtualFiles } from "./shape.ts";

export const contextChecks: readonly Check[] = [
  contextShape,
  contextAtOnce,
  focusedFile,
  closedFile,
  cursor,
  utf16,
  selectedText,
  staleSelection,
  realFiles,
  virtualFiles,
  deletedFile,
  focusTimes,
  unixTimes,
  focusedAlone,
  tenFiles,
  longSelection,
  wholeCharacters,
  debounce,
  starvation,
  everyCli,
];
