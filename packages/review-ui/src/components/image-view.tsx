import { useSignal } from "@preact/signals";
import type { FileText } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { formatBytes } from "../text/text-facts.ts";

/** The address of an image for `<img>`, or the limit that it exceeds. */
export type ImageSource =
  | { readonly url: string; readonly size: number }
  /** Both in bytes. */
  | { readonly size: number; readonly limit: number };

/** UTF-16 units of the longest SVG that is drawn. */
const maxSvg = 1_000_000;

/** @returns undefined when the file is no image */
export function imageOfFile(file: FileText | undefined, fileName: string): ImageSource | undefined {
  if (file?.kind === "text") return imageOfText(file.text, fileName);
  if (file?.kind !== "binary" || !file.image) return undefined;
  const { size, image } = file;
  if ("limit" in image) return { size, limit: image.limit };
  return { size, url: `data:${image.type};base64,${image.base64}` };
}

/** The image of an SVG text. An `<img>` runs no scripts of it and loads no other files. */
export function imageOfText(text: string, fileName: string): ImageSource | undefined {
  if (!/\.svg$/i.test(fileName) || !/<svg[\s>]/.test(text)) return undefined;
  const size = text.length;
  if (size > maxSvg) return { size, limit: maxSvg };
  // encodeURIComponent throws at halves of surrogate pairs.
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))}`;
  return { size, url };
}

export interface LabelledImage {
  readonly label: string;
  readonly source: ImageSource;
}

/** Images next to each other. */
export function ImageView({ images }: { readonly images: readonly LabelledImage[] }) {
  const { t } = useReview();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="images" aria-label={t("Image")} tabIndex={0}>
      {images.map((image) => (
        <Figure key={image.label} {...image} />
      ))}
    </section>
  );
}

function Figure({ label, source }: LabelledImage) {
  const { t } = useReview();
  const pixels = useSignal("");
  const isBroken = useSignal(false);
  const size = formatBytes(source.size);
  if ("limit" in source || isBroken.value) {
    const reason =
      "limit" in source
        ? t("This image is too large to be shown: $1, the limit is $2.", size, formatBytes(source.limit))
        : t("The browser cannot show this image.");
    return (
      <figure class="image">
        <figcaption>{label}</figcaption>
        <p class="quiet">{reason}</p>
      </figure>
    );
  }
  return (
    <figure class="image">
      <figcaption>
        {label} <span class="quiet">{[pixels.value, size].filter(Boolean).join(", ")}</span>
      </figcaption>
      <img
        src={source.url}
        alt={label}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          pixels.value = `${naturalWidth} × ${naturalHeight}`;
        }}
        onError={() => {
          isBroken.value = true;
        }}
      />
    </figure>
  );
}
