import type { FileText } from "../model/wire.ts";

/** An image as an `<img>` can show it, or why not. */
export type ImageSource =
  | { readonly url: string; readonly size: number }
  /** Bytes, both. */
  | { readonly size: number; readonly limit: number };

/** UTF-16 units of the longest SVG that is drawn. */
const maxSvg = 1_000_000;

/** The image that a file is; undefined when it is none. */
export function imageOfFile(file: FileText | undefined, fileName: string): ImageSource | undefined {
  if (file?.kind === "text") return imageOfText(file.text, fileName);
  if (file?.kind !== "binary" || !file.image) return undefined;
  const { size, image } = file;
  if ("limit" in image) return { size, limit: image.limit };
  return { size, url: `data:${image.type};base64,${image.base64}` };
}

/** An SVG. An `<img>` runs none of its scripts and loads nothing that it names. */
export function imageOfText(text: string, fileName: string): ImageSource | undefined {
  if (!/\.svg$/i.test(fileName) || !/<svg[\s>]/.test(text)) return undefined;
  const size = text.length;
  if (size > maxSvg) return { size, limit: maxSvg };
  // Halves of surrogate pairs cannot be written in an address.
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))}`;
  return { size, url };
}
