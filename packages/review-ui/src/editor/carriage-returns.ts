import { type Extension, type Range, RangeSet, RangeSetBuilder, type RangeValue } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import { phrase } from "./phrase.ts";

/** Hides a carriage return before a line feed, and shows any other as a marked line break. */
export function carriageReturns(): Extension {
  return [plugin, EditorView.atomicRanges.of((view) => view.plugin(plugin)?.atoms ?? RangeSet.empty)];
}

class BareReturn extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM({ state }: EditorView): HTMLElement {
    const element = document.createElement("span");
    const mark = document.createElement("span");
    mark.className = "cm-specialChar";
    mark.textContent = "CR";
    mark.title = phrase(state, "Carriage return without a line feed");
    element.append(mark, document.createElement("br"));
    return element;
  }

  override get lineBreaks(): number {
    return 1;
  }
}

const unseen = Decoration.replace({});
const marked = Decoration.replace({ widget: new BareReturn() });

interface Returns {
  readonly decorations: DecorationSet;
  /** A CRLF is one unit: the cursor never stops inside. */
  readonly atoms: RangeSet<RangeValue>;
}

function findReturns(view: EditorView): Returns {
  const { doc } = view.state;
  const decorations = new RangeSetBuilder<Decoration>();
  const atoms: Range<RangeValue>[] = [];
  for (const { from, to } of view.visibleRanges) {
    const text = doc.sliceString(from, Math.min(doc.length, to + 1));
    for (let at = text.indexOf("\r"); at >= 0 && from + at < to; at = text.indexOf("\r", at + 1)) {
      const position = from + at;
      const isCrlf = text[at + 1] === "\n";
      decorations.add(position, position + 1, isCrlf ? unseen : marked);
      atoms.push(unseen.range(position, position + (isCrlf ? 2 : 1)));
    }
  }
  return { decorations: decorations.finish(), atoms: RangeSet.of(atoms) };
}

class ReturnsPlugin implements Returns {
  decorations: DecorationSet;
  atoms: RangeSet<RangeValue>;

  constructor(view: EditorView) {
    ({ decorations: this.decorations, atoms: this.atoms } = findReturns(view));
  }

  update(update: ViewUpdate): void {
    if (!update.docChanged && !update.viewportChanged) return;
    ({ decorations: this.decorations, atoms: this.atoms } = findReturns(update.view));
  }
}

const plugin = ViewPlugin.fromClass(ReturnsPlugin, { decorations: (value) => value.decorations });
