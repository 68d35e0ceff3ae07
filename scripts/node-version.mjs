/**
 * Says why this Node cannot run our scripts and ends the process. Import it first: what follows may fail to load.
 * The range is that of `engines` in package.json.
 */
const [major, minor] = process.versions.node.split(".").map(Number);
const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);

if (!isSupported) {
  console.error(`ide-companion needs Node 20.19, 22.12 or later, and this is Node ${process.versions.node}.`);
  process.exit(1);
}
