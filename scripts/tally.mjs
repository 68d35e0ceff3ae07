import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { repository } from "./repository.mjs";

/**
 * A vitest reporter that writes down what `npm test` adds up:
 * `{ passed, failed, skipped: [{ name, reason }], again: [{ name, error }], files: [{ path, milliseconds }] }`;
 * `again` are those that have failed once and passed then, with the first two lines of what had failed: a property has
 * its seed in the second.
 */
export class Tally {
  #path;
  #tally = { passed: 0, failed: 0, skipped: [], again: [], files: [] };

  /** @param {string} path where to write it, as JSON */
  constructor(path) {
    this.#path = path;
  }

  onTestCaseResult(test) {
    const { state, note, errors = [] } = test.result();
    if (state === "passed") this.#tally.passed += 1;
    else if (state === "failed") this.#tally.failed += 1;
    else this.#tally.skipped.push({ name: test.fullName, reason: note ?? "no reason given" });
    if (test.diagnostic()?.flaky) {
      const error = (errors[0]?.message ?? "no error given").split("\n").slice(0, 2).join(" ");
      this.#tally.again.push({ name: test.fullName, error });
    }
  }

  onTestModuleEnd(module) {
    // A file that cannot be loaded, or a hook that throws, fails without a test that does.
    const noneFailed = module.children.allTests("failed").next().done;
    if (module.state() === "failed" && noneFailed) this.#tally.failed += 1;
    const { collectDuration, duration } = module.diagnostic();
    const path = relative(repository, module.moduleId);
    this.#tally.files.push({ path, milliseconds: Math.round(collectDuration + duration) });
  }

  onTestRunEnd(_modules, unhandledErrors) {
    this.#tally.failed += unhandledErrors.length;
    writeFileSync(this.#path, JSON.stringify(this.#tally));
  }
}
