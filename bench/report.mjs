import { readFile, writeFile } from "node:fs/promises";
import { median } from "./rounds.mjs";

/**
 * One line of the table.
 * @typedef {object} Row
 * @property {string} title
 * @property {string} [unit] of the numbers: ms
 * @property {Columns<number[]>} samples one number a round; those of one index were measured together
 * @property {"ratio" | "value"} [judged] what the limits apply to: ours over the floor, or ours alone, as usual
 * @property {number | "sdk"} [must] at most this, or less than the SDK reached in the same run
 * @property {number} [aim] at most this
 */

/**
 * Measured servers, or what they have given, by the column of the table.
 * @template T
 * @typedef {{ floor?: T, sdk?: T, ours: T }} Columns
 */

const headings = ["figure", "floor", "SDK (ratio)", "ours", "ratio", "must", "aim", "result"];
const results = { aim: "aim reached", must: "must reached", missed: "**missed**", unlimited: "" };

/** @param {readonly Row[]} rows; @returns a Markdown table */
export function toTable(rows) {
  const lines = [headings, headings.map((_, index) => (index === 0 ? "---" : "--:")), ...rows.map(toCells)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toCells(row) {
  const { title, unit = "ms", samples, must, aim } = row;
  const { floor, sdk, ours } = samples;
  const limitCell = (limit) => toLimit(limit, row);
  return [
    title,
    cell(floor, unit),
    cell(sdk, unit) + (sdk && row.judged === "ratio" ? ` (${factor(ratioTo(floor, sdk).median)})` : ""),
    cell(ours, unit),
    row.judged === "ratio" ? spread(ratioTo(floor, ours), factor) : "–",
    limitCell(must),
    limitCell(aim),
    results[judge(row)],
  ];
}

function toLimit(limit, { judged, unit = "ms" }) {
  if (limit === undefined) return "";
  if (limit === "sdk") return "the SDK's";
  return judged === "ratio" ? `${limit}` : `${limit} ${unit}`.trim();
}

function cell(samples, unit) {
  return samples ? `${spread(summarise(samples), number)} ${unit}`.trim() : "–";
}

/** `1.2 [1.1..1.4]`; the spread only if there is one. */
function spread({ median, min, max }, format) {
  const [middle, low, high] = [median, min, max].map(format);
  return low === high ? middle : `${middle} [${low}..${high}]`;
}

const factor = (value) => value.toFixed(value < 10 ? 2 : 1);

function number(value) {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/**
 * Puts a table into a document, between its marks.
 * @param {string} path
 * @param {string} name of the table
 * @param {string} text table and all
 */
export async function writeInto(path, name, text) {
  const marks = { start: `<!-- ${name}:start -->`, end: `<!-- ${name}:end -->` };
  const document = await readFile(path, "utf8");
  const [start, end] = [document.indexOf(marks.start), document.indexOf(marks.end)];
  if (start < 0 || end < start) throw new Error(`${path} has no ${marks.start} … ${marks.end}`);
  const head = document.slice(0, start + marks.start.length);
  await writeFile(path, `${head}\n${text}\n${document.slice(end)}`);
}

/** @returns {"aim" | "must" | "missed" | "unlimited"} what a row reaches; `unlimited` when it has no limits */
export function judge({ samples, judged, must, aim }) {
  const reached = judged === "ratio" ? ratioTo(samples.floor, samples.ours) : summarise(samples.ours);
  const limit = must === "sdk" ? ratioTo(samples.floor, samples.sdk).median : must;
  const fits = (bound) => reached.median <= bound;
  if (limit !== undefined && !fits(limit)) return "missed";
  if (aim !== undefined && fits(aim)) return "aim";
  if (limit === undefined) return aim === undefined ? "unlimited" : "missed";
  return "must";
}

/** The median of all rounds, with the lowest and the highest. */
function summarise(samples) {
  return { median: median(samples), min: Math.min(...samples), max: Math.max(...samples) };
}

/** Ratio to the floor, round by round: a disturbance of a round affects both. */
function ratioTo(floor, samples) {
  if (!floor || !samples) return undefined;
  return summarise(samples.map((value, round) => value / floor[round]));
}
