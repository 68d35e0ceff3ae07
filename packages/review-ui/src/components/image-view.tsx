import { useSignal } from "@preact/signals";
import { cspNonce } from "../csp-nonce.ts";
import type { FileText } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { formatBytes } from "../text/text-facts.ts";
import { Button } from "./button.tsx";

/** The address of an image for `<img>`, or the limit that it exceeds. */
export type ImageSource =
  /** `isCode`: the image is made of instructions, which can take a browser forever to follow. */
  | { readonly url: string; readonly size: number; readonly isCode: boolean }
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
  return { size, url: `data:${image.type};base64,${image.base64}`, isCode: false };
}

/** The image of an SVG text. An `<img>` runs no scripts of it and loads no other files. */
export function imageOfText(text: string, fileName: string): ImageSource | undefined {
  if (!/\.svg$/i.test(fileName) || !/<svg[\s>]/.test(text)) return undefined;
  const size = text.length;
  if (size > maxSvg) return { size, limit: maxSvg };
  // encodeURIComponent throws at halves of surrogate pairs.
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))}`;
  return { size, url, isCode: true };
}

interface LabelledImage {
  readonly label: string;
  readonly source: ImageSource;
}

interface ImageViewProps {
  /** Those without a source are no images. */
  readonly sources: readonly (readonly [label: string, source: ImageSource | undefined])[];
}

/** Images next to each other, if there are any. Those that are code are drawn when the user asks for it. */
export function ImageView({ sources }: ImageViewProps) {
  const { t } = useReview();
  const images = sources.flatMap(([label, source]) => (source ? { label, source } : []));
  const isAsked = useSignal(false);
  const isCode = images.some(({ source }) => "url" in source && source.isCode);
  const isDrawn = !isCode || isAsked.value;
  const urls = images.flatMap(({ source }) => ("url" in source && !source.isCode ? [source.url] : []));
  return (
    <>
      {isCode && (
        <div class="images-bar bar">
          <Button aria-expanded={isDrawn} onClick={() => assign(isAsked, !isDrawn)}>
            {t(isDrawn ? "Hide the picture" : "Show as a picture")}
          </Button>
        </div>
      )}
      {isDrawn && images.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section class="images" aria-label={t("Image")} tabIndex={0}>
          {images.map((image) => (
            <Figure key={image.label} {...image} />
          ))}
          {urls.length === 2 && <Slider urls={urls} />}
        </section>
      )}
    </>
  );
}

/** The second image over the first one, as far as its user wants. */
function Slider({ urls }: { readonly urls: readonly string[] }) {
  const { t } = useReview();
  const share = useSignal(50);
  const label = t("One over the other");
  return (
    <figure class="image">
      <figcaption>{label}</figcaption>
      <div class="image-layers" style={{ "--share": `${share.value}%` }}>
        {urls.map((url) => (
          <img key={url} src={url} alt="" />
        ))}
      </div>
      <input
        type="range"
        aria-label={label}
        value={share.value}
        onInput={({ currentTarget }) => assign(share, Number(currentTarget.value))}
      />
    </figure>
  );
}

function Figure({ label, source }: LabelledImage) {
  const { t } = useReview();
  const pixels = useSignal("");
  const isBroken = useSignal(false);
  const size = formatBytes(source.size);
  const isDrawn = "url" in source && !isBroken.value;
  return (
    <figure class="image">
      <figcaption>
        {label} {isDrawn && <span class="quiet">{[pixels.value, size].filter(Boolean).join(", ")}</span>}
      </figcaption>
      {"limit" in source ? (
        <p class="quiet">
          {t("This image is too large to be shown: $1, the limit is $2.", size, formatBytes(source.limit))}
        </p>
      ) : isBroken.value ? (
        <p class="quiet">{t("The browser cannot show this image.")}</p>
      ) : source.isCode ? (
        <iframe
          sandbox=""
          title={label}
          srcdoc={drawing(source.url, t("The browser cannot show this image."))}
        />
      ) : (
        <img
          src={source.url}
          alt={label}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            pixels.value = `${naturalWidth} × ${naturalHeight}`;
          }}
          onError={() => assign(isBroken, true)}
        />
      )}
    </figure>
  );
}

/** A document with the image alone. A frame without any rights has a separate process, which may hang. */
function drawing(url: string, trouble: string): string {
  const quote = (text: string) => text.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><style nonce="${cspNonce}">
html { color-scheme: light dark; font: 13px/20px sans-serif }
body { margin: 0 }
img { max-width: 100% }
</style><img src="${quote(url)}" alt="${quote(trouble)}">`;
}
