/** A simulated editor: it holds the text of every diff and lets the bench decide. */
export class HeldEditor {
  info = { name: "bench", displayName: "Bench" };
  pid = process.pid;
  #diffs = new Map();
  #listener = () => {};

  onContext(listener) {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }

  focus(context) {
    this.#listener(context);
  }

  async openDiff(proposal, decide) {
    this.#diffs.set(proposal.id, { proposal, decide });
  }

  async closeDiff(id) {
    const { proposal } = this.#diffs.get(id);
    this.#diffs.delete(id);
    return proposal.newContent;
  }

  async readDiff(id) {
    return this.#diffs.get(id).proposal.newContent;
  }

  accept(filePath) {
    for (const [id, { proposal, decide }] of this.#diffs) {
      if (proposal.filePath !== filePath) continue;
      this.#diffs.delete(id);
      decide({ kind: "accepted", content: proposal.newContent });
    }
  }
}
