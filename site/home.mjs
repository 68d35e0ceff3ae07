/** What VitePress shows above the list of pages that docs/README.md is. */
export const home = {
  layout: "home",
  hero: {
    name: "ide-companion",
    text: "Every agent CLI, in every editor",
    tagline: "Your agent sees what you look at. You review, edit and answer each change that it proposes.",
    image: {
      light: "/pictures/review-light.png",
      dark: "/pictures/review-dark.png",
      alt: "A change under review",
    },
    actions: [
      { theme: "brand", text: "First review", link: "/start/first-review" },
      { theme: "alt", text: "Does it work with …", link: "/editors/works-with.gen" },
    ],
  },
  features: [
    {
      title: "Your editor",
      details:
        "VS Code, Neovim, Vim, Emacs, Kakoune, Helix, Kate, any editor with an LSP client, or the browser.",
      link: "/editors/",
    },
    {
      title: "Your agents, at the same time",
      details:
        "Gemini CLI, Qwen Code, Claude Code, Copilot CLI, Codex CLI and opencode. Each receives only its own decisions.",
      link: "/editors/works-with.gen",
    },
    {
      title: "Nothing typed is lost",
      details: "Edits that a CLI does not write stay on disk, and can be restored after any crash.",
      link: "/reference/commands",
    },
    {
      title: "Secrets stay out",
      details: "Keys, credentials and ignored files are not sent. One command pauses everything.",
      link: "/reference/sharing",
    },
  ],
};
