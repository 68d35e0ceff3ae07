import { expect, test } from "vitest";
import { parseServed, parseServers } from "./helix-languages.ts";

const overview = `Config file: default
Runtime directories: /home/ada/.config/helix/runtime;/usr/lib/helix/runtime
System clipboard provider: tmux

Language   Language … Debug ada… Formatter… Highlight… Textobjec… Indent     
ada        ✘ ada_l…   None       None       ✓          ✓          ✘          
adl        None       None       None       ✓          ✓          ✓          
common-li… ✓ cl-ls…   None       None       ✓          ✘          ✓          
python     ✘ ruff     None       None       ✓          ✓          ✓          
           ✓ pylsp                                                          
rust       ✓ rust-…   ✘ lldb-…   None       ✓          ✓          ✓          
`;

test("the languages are those with a server that is there, among all that they have", () => {
  expect(parseServed(overview)).toEqual(["common-li…", "python", "rust"]);
  expect(parseServed("Language file: default\n")).toEqual([]);
});

test("the servers of a language keep their order", () => {
  const details = `Configured language servers:
  ✓ ruff: /usr/bin/ruff
  ✘ jedi-language-server: 'jedi-language-server' not found in $PATH
Configured debug adapter: None
`;
  expect(parseServers(details)).toEqual([
    { name: "ruff", isThere: true },
    { name: "jedi-language-server", isThere: false },
  ]);
  expect(parseServers("Configured language servers: None\n")).toEqual([]);
});
