import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { poll } from "./harness/deadline.ts";
import { editorChains } from "./harness/editor-chains.ts";
import { kakoune, startKakoune } from "./harness/kakoune.ts";
import { qwen } from "./harness/qwen.ts";

const { needs } = kakoune;

editorChains(kakoune);

chain(
  "in Kakoune changes are gone through and taken back, and edits that an agent does not take are kept",
  async (world) => {
    const path = await world.write("poem.txt", "one\ntwo\nthree\nfour\nfive\n");
    const editor = await startKakoune(world, [path]);
    const cli = await startAgent(world, qwen);
    await cli.connected();
    await cli.proposeWriteAfterReading(path, "one\n2\nthree\nfour\nfive\nsix\n");
    await editor.proposal("poem.txt");
    await editor.terminal.waitFor(/~\s*2[\s\S]*two[\s\S]*\+\s*six/); // the replaced line below its change
    await editor.command("ide-companion-take-back");
    await editor.terminal.waitFor("poem.txt +1 −0");
    await editor.command("ide-companion-next-change");
    expect(await editor.value("%val{cursor_line}")).toBe("6");
    await cli.acceptInTerminal();
    await cli.finished();
    await editor.terminal.waitFor("Qwen Code has not taken your edits");
    expect(String(await world.read("poem.txt"))).toBe("one\n2\nthree\nfour\nfive\nsix\n");
    const kept = (await editor.value("%val{buflist}")).split(" ").find((name) => name.includes("/kept-"));
    await editor.open(kept ?? "");
    await editor.terminal.waitFor(/one\s+two\s+three\s+four\s+five\s+six/);
  },
  { needs },
);

chain(
  "a terminal that Kakoune opens has what an agent needs to find this Kakoune",
  async (world) => {
    const editor = await startKakoune(world, [await world.write("open.txt", "open\n")]);
    const told = world.path("told");
    await editor.command(`ide-companion-terminal sh -c 'env > ${told}'`);
    await poll("the terminal's variables", async () =>
      /GEMINI_CLI_IDE_SERVER_PORT=\d+/.test(String(await world.read("told"))) ? true : undefined,
    );
  },
  { needs },
);
