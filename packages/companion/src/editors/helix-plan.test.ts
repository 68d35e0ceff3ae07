import { expect, test } from "vitest";
import { parseLanguages, parseServers } from "./helix-plan.ts";

const overview = `Config file: default
Runtime directories: /home/ada/.config/helix/runtime;/usr/lib/helix/runtime
System clipboard provider: tmux

Language   Language … Debug ada… Formatter… Highlight… Textobjec… Indent     
ada        ✘ ada_l…   None       None       ✓          ✓          ✘          
adl        None       None       None       ✓          ✓          ✓          
common-li… ✓ cl-ls…   None       None       ✓          ✘          ✓          
python     ✘ ruff     None       None       ✓          ✓          ✓          
           ✓ pylsp                                                          
`;

test("the languages are all that the table has, each once", () => {
  expect(parseLanguages(overview)).toEqual(["ada", "adl", "common-li…", "python"]);
  expect(parseLanguages("Language file: default\n")).toEqual([]);
});

test("the servers of a language keep their order, those that are not installed included", () => {
  const details = `Configured language servers:
  ✓ ruff: /usr/bin/ruff
  ✘ jedi-language-server: 'jedi-language-server' not found in $PATH
Configured debug adapter: None
`;
  expect(parseServers(details)).toEqual(["ruff", "jedi-language-server"]);
  expect(parseServers("Configured language servers: None\nConfigured debug adapter: None\n")).toEqual([]);
});

test("a language that Helix does not know has no servers, not even none", () => {
  expect(parseServers("Language 'adx' not found\nDid you mean one of these: ada ?\n")).toBeUndefined();
});
