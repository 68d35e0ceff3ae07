import { GFM, parser } from "@lezer/markdown";
import { type ComponentChild, h } from "preact";

const markdown = parser.configure(GFM);

type Node = ReturnType<typeof markdown.parse>["topNode"];

/** Elements with no text between what they hold. */
const holders: Readonly<Record<string, string>> = {
  ...{ Document: "div", Blockquote: "blockquote", BulletList: "ul", OrderedList: "ol", ListItem: "li" },
  ...{ Table: "table", TableHeader: "tr", TableRow: "tr" },
  ...{ FencedCode: "pre", CodeBlock: "pre", HorizontalRule: "hr", HardBreak: "br" },
};

/** Elements with text. No link has an address, and of an image there is its text alone. */
const texts: Readonly<Record<string, string>> = {
  ...{ Paragraph: "p", Task: "p", HTMLBlock: "pre", TableCell: "td", InlineCode: "code" },
  ...{ Emphasis: "em", StrongEmphasis: "strong", Strikethrough: "del" },
  ...{ Link: "a", Autolink: "a", URL: "a", Image: "i" },
};

const hidden = /Mark$|^(?:LinkTitle|LinkLabel|LinkReference|CodeInfo|TableDelimiter)$/;

/** Elements within elements, in which there is text alone. */
const maxDepth = 50;

/**
 * What a Markdown text looks like, as elements of ours: raw HTML is text. Each block says as `data-at` where it is in the
 * text.
 */
export function renderMarkdown(
  text: string,
  isChanged: (part: { readonly from: number; readonly to: number }) => boolean,
): ComponentChild {
  const textOf = ({ from, to }: Pick<Node, "from" | "to">) => text.slice(from, to);
  const defined = new Set(text.match(/^\[[^\]\n]+\](?=:)/gm));

  /** What is in brackets may be no link. */
  const isLink = (node: Node) =>
    (node.getChild("URL") ?? node.getChild("LinkLabel")) || defined.has(textOf(node).replace("!", ""));

  function render(node: Node, depth: number): ComponentChild {
    const { name, from } = node;
    if (hidden.test(name)) return null;
    if (name === "Escape") return text.slice(from + 1, node.to);
    if (name === "Entity") return decode(textOf(node));
    if (name === "TaskMarker") return /x/i.test(textOf(node)) ? "☑" : "☐";
    const level = /Heading(\d)$/.exec(name)?.[1];
    const isHead = node.parent?.name === "TableHeader";
    const tag = level ? `h${level}` : isHead ? "th" : (holders[name] ?? texts[name]);
    const isBracketed = name === "Link" || name === "Image";
    if (!tag || depth > maxDepth || (isBracketed && !isLink(node))) return textOf(node);
    const isBlock = /^(?:p|pre|tr|h.)$/.test(tag);
    const facts = {
      ...(isBlock && { "data-at": from, class: isChanged(node) ? "rendering-change" : "" }),
      ...(tag === "ol" && { start: Number.parseInt(textOf(node), 10) }),
    };
    return h(tag, facts, ...contentOf(node, depth + 1));
  }

  function contentOf(node: Node, depth: number): ComponentChild[] {
    const parts: ComponentChild[] = [];
    const isHolder = node.name in holders;
    let at = node.from;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const isEmptyCell = [child, child.prevSibling].every((each) => each?.name === "TableDelimiter");
      parts.push(!isHolder && text.slice(at, child.from), isEmptyCell ? h("td", {}) : render(child, depth));
      at = child.to;
      // Then comes the address of a link.
      if (textOf(child) === "]") return parts;
    }
    return [...parts, !isHolder && text.slice(at, node.to)];
  }

  try {
    return render(markdown.parse(text).topNode, 0);
  } catch {
    return text; // elements are too deep for the parser
  }
}

const decode = (entity: string): string =>
  new DOMParser().parseFromString(entity, "text/html").documentElement.textContent;
