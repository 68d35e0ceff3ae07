import { type EditorView, type GutterMarker, WidgetType } from "@codemirror/view";
import { type ButtonHTMLAttributes, type ComponentChildren, render } from "preact";

export interface DrawnWidgetOptions {
  /** Widgets with the same key look the same. */
  readonly key: readonly unknown[];
  /** Pixels, before it is drawn. */
  readonly height?: number;
  readonly draw: (view: EditorView) => ComponentChildren;
  /** Continues it through the gutters. */
  readonly gutter?: GutterMarker;
}

/** A widget between lines, of elements of the page. Those that stay when it is drawn again keep the focus. */
export class DrawnWidget extends WidgetType {
  readonly #key: string;
  readonly #options: DrawnWidgetOptions;

  constructor(options: DrawnWidgetOptions) {
    super();
    this.#key = JSON.stringify(options.key);
    this.#options = options;
  }

  get gutter(): GutterMarker | null {
    return this.#options.gutter ?? null;
  }

  override eq(other: DrawnWidget): boolean {
    return this.#key === other.#key;
  }

  override get estimatedHeight(): number {
    return this.#options.height ?? -1;
  }

  override toDOM(view: EditorView): HTMLElement {
    const root = document.createElement("div");
    this.updateDOM(root, view);
    return root;
  }

  override updateDOM(root: HTMLElement, view: EditorView): boolean {
    render(this.#options.draw(view), root);
    return true;
  }

  override destroy(root: HTMLElement): void {
    render(null, root);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

type BarButtonProps = ButtonHTMLAttributes & { readonly label: string };

/** A small button in such a widget. */
export function BarButton({ label, ...props }: BarButtonProps) {
  return <button type="button" class="hunk-button" title={label} aria-label={label} {...props} />;
}
