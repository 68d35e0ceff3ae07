/**
 * Why a version of Node cannot run the companion; the range is that of `engines` in package.json.
 * @param version as in `process.versions.node`
 * @returns a sentence for the user; undefined when it can
 */
export function whyUnsupported(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (isSupported) return undefined;
  return `ide-companion needs Node 20.19, 22.12 or later, and this is Node ${version}.`;
}
