import type { Report } from "../part.ts";

/** What a part tells, for its test. */
export function createHeard() {
  const broken: string[] = [];
  const figures: Record<string, string | number> = {};
  const report: Report = {
    progress: () => {},
    figure(name, value) {
      figures[name] = value;
    },
    broken: (symptom, sequence = "") => void broken.push(`${symptom}\n${sequence}`),
  };
  return { broken, figures, report };
}
