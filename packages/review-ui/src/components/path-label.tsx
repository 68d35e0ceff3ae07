import { useReview } from "../review-context.ts";
import { safeName } from "../text/safe-name.ts";

/** A path whose name stands out, and whose folder gives way when there is little room. */
export function PathLabel({ path, title }: { readonly path: string; readonly title?: string }) {
  const { baseName, folderPart } = useReview().frontend.paths.value;
  return (
    <span class="path" title={safeName(title ?? path)}>
      <bdi class="path-name">{baseName(path)}</bdi> <bdi class="path-folder">{folderPart(path)}</bdi>
    </span>
  );
}
