import { useSignal } from "@preact/signals";
import { useReview } from "../review-context.ts";
import { formatBytes } from "../text/byte-size.ts";
import type { ImageSource } from "../text/image-source.ts";

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
