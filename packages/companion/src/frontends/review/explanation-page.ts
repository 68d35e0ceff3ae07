/** What is shown instead of the page. */
export interface Explanation {
  readonly title: string;
  /** `code` stands between backticks. */
  readonly paragraphs: readonly string[];
  /** Ask for the same page again, once, automatically. */
  readonly retry?: boolean;
}

/** A small page, without script or anything to load. */
export function explanationPage({ title, paragraphs, retry = false }: Explanation, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${retry ? '<meta http-equiv="refresh" content="0;url=/">\n' : ""}<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p class="name">ide-companion</p>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${toInlineHtml(text)}</p>`).join("\n")}
</main>
</body>
</html>
`;
}

const style = `
:root { --paper: #f6f7f9; --card: #fff; --ink: #1c2330; --dim: #5b6577; --line: #dfe3ea; --mark: #2f6fde; --code: #eef1f6 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171d; --card: #1c2028; --ink: #e4e8ef; --dim: #9aa4b5; --line: #2d333e; --mark: #7aa7ff; --code: #272d38 }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 34rem; padding: 2.25rem 2.5rem; background: var(--card); border: 1px solid var(--line);
  border-top: 3px solid var(--mark); border-radius: 10px }
.name { margin: 0; color: var(--dim); font-size: .875rem; letter-spacing: .02em }
h1 { margin: .35rem 0 1rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance }
p { margin: .75rem 0 0 }
code { padding: .1em .35em; border-radius: 4px; background: var(--code); font: .9em ui-monospace, "SF Mono", Consolas, monospace }
`;

/** `code` between backticks, everything else as text. */
function toInlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}
