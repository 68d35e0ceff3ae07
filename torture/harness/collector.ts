import type { Report } from "../part.ts";

/** Collects what a part reports, for its test. */
export function createCollector() {
  const broken: string[] = [];
  const suspected: string[] = [];
  const figures: Record<string, string | number> = {};
  const report: Report = {
    progress: () => {},
    figure(name, value) {
      figures[name] = value;
    },
    suspect: (symptom, sequence) => void suspected.push(`${symptom}\n${sequence}`),
    broken: (symptom, sequence = "") => void broken.push(`${symptom}\n${sequence}`),
  };
  return { broken, suspected, figures, report };
}
