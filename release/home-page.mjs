/**
 * @param {string} repository ours, as in `someone/ide-companion`
 * @returns {string} the address of its page
 * @throws {Error} when it is something else
 */
export function homePageOf(repository) {
  if (!/^[\w-]+\/[\w.-]+$/.test(repository)) throw new Error(`not the name of a repository: ${repository}`);
  return `https://github.com/${repository}`;
}
