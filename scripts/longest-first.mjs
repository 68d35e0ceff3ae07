import { BaseSequencer } from "vitest/node";

/** The files that take longest, mostly by waiting: what starts them last waits for them alone. */
export const longest = [
  "packages/companion/src/agents/gemini-family/lost-streams.test.ts",
  "packages/review-ui/test/states.page.test.ts",
  "torture/sequences/sequences.test.ts",
  "torture/faults/standstill.test.ts",
  "e2e/vscode.e2e.test.ts",
  "e2e/vim.e2e.test.ts",
  "e2e/forward.e2e.test.ts",
  "e2e/vscode-review.e2e.test.ts",
  "e2e/neovim.e2e.test.ts",
  "e2e/conformance.e2e.test.ts",
  "e2e/kakoune.e2e.test.ts",
  "e2e/emacs.e2e.test.ts",
  "e2e/doctor.e2e.test.ts",
  "e2e/install.e2e.test.ts",
  "packages/conformance/src/contracts/hooks/hooks.process.test.ts",
  "packages/conformance/src/contracts/gemini-family/gemini-family.process.test.ts",
  "packages/companion/src/agents/codex-cli/seat.process.test.ts",
];

/** The order of the others. The page's are short and keep the processors busy: at the end none is waited for. */
const projects = ["unit", "unit-alone", "torture", "process", "e2e", "page"];

/** Starts these first, in the groups to which they belong. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const groupOf = ({ project }) => project.config.sequence.groupOrder;
    const placeOf = ({ moduleId }) => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? longest.length : place;
    };
    const projectOf = ({ project }) => projects.indexOf(project.name);
    const sorted = await super.sort(files);
    return sorted.sort(
      (one, other) =>
        groupOf(one) - groupOf(other) || placeOf(one) - placeOf(other) || projectOf(one) - projectOf(other),
    );
  }
}
