import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A body as it goes over the wire. */
export interface Encoded {
  readonly bytes: Uint8Array;
  /** Undefined when it goes as it is. */
  readonly encoding?: Encoding;
}

export type Encoding = "br" | "gzip";

/** Bytes below which there is nothing to gain. */
const leastBytes = 2048;

/**
 * `fast`: on one machine compressing only costs time, and over `ssh` most of the gain comes first.
 * `small`: for what is compressed once and sent often.
 */
const efforts = { fast: { brotli: 1, gzip: 1 }, small: { brotli: 5, gzip: 6 } };

const runBrotli = promisify(brotliCompress);
const runGzip = promisify(gzip);

/** The best encoding that a request's `Accept-Encoding` allows. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  const offers = String(accepted ?? "").split(",");
  const isAccepted = (name: Encoding) =>
    offers.some((offer) => {
      const [offered = "", ...parameters] = offer.split(";").map((part) => part.trim().toLowerCase());
      return offered === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  return (["br", "gzip"] as const).find(isAccepted);
}

/** Compresses a text in a separate thread. */
export async function compress(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  effort: keyof typeof efforts = "fast",
): Promise<Encoded> {
  if (encoding === undefined || bytes.byteLength < leastBytes) return { bytes };
  if (encoding === "gzip") return { bytes: await runGzip(bytes, { level: efforts[effort].gzip }), encoding };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: efforts[effort].brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  return { bytes: await runBrotli(bytes, { params }), encoding };
}
