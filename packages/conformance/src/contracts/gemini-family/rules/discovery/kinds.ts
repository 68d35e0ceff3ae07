import { agents, type FileKind } from "../../../../agents.ts";
import { isJson } from "../../../../wire/json-rpc.ts";
import { demand, demandNone, NotRun, quote } from "../../../check.ts";
import { code, observed, specificationOf } from "../../../requirement.ts";
import { fields } from "../../faults.ts";
import { fileOf } from "../../target/discovery-file.ts";
import type { Bench, FamilyGroup } from "../means.ts";

/** What proves that there is a file of a kind that a CLI reads. */
function fileCheck(wanted: FileKind) {
  const { kind, agent, path } = fileOf(wanted);
  const { home } = agents[agent];
  const name = home ? path.replace("<home>", `<${home.variable} or ~/${home.folder}>`) : path;
  return {
    needs: ["files"] as const,
    async run({ target: { files, port } }: Bench) {
      demand(
        files.some((file) => file.kind === kind && file.port === port),
        `there is no ${name} for port ${port}; there are ${files.map((file) => file.path).join(", ")}`,
      );
    },
  };
}

export const kindsRules: FamilyGroup = {
  D1: {
    agent: "gemini",
    MUST: "There is a file `<tmp>/gemini/ide/gemini-ide-server-<pid>-<port>.json`; its folders are created if they are missing.",
    sources: specificationOf("gemini", "I.2", "The file MUST be there, under this name."),
    check: "gemini-file",
    ...fileCheck("gemini-file"),
    fault: {
      fileName: (name) => name.replace(/(?<=^gemini-ide-server-\d+)-\d+/, ""),
      says: /there is no <tmp>\/gemini\/ide\/gemini-ide-server-<pid>-<port>\.json/,
    },
  },
  D2: {
    agent: "qwen",
    MUST: "There is a file `<tmp>/qwen/ide/qwen-code-ide-server-<pid>-<port>.json`; its folders are created if they are missing.",
    sources: specificationOf("qwen", "I.2", "The file MUST be there, under this name."),
    check: "qwen-file",
    ...fileCheck("qwen-file"),
    fault: {
      fileName: (name) => (name.startsWith("qwen") ? undefined : name),
      says: /there is no <tmp>\/qwen\/ide\/qwen-code-ide-server/,
    },
  },
  D3: {
    agent: "qwen",
    MUST: "There is a file `<QWEN_HOME or ~/.qwen>/ide/<port>.lock`.",
    sources: observed("Qwen Code reads this one, and never the documented one."),
    check: "qwen-lock",
    ...fileCheck("qwen-lock"),
    fault: {
      // As the specification alone asks for.
      fileName: (name) => (name.endsWith(".lock") ? undefined : name),
      says: /there is no <QWEN_HOME or ~\/\.qwen>\/ide\/<port>\.lock/,
    },
  },
  D15: {
    MAY: "A file may offer standard input and output instead of a port, as `stdio` with `command` and `args`.",
    sources: code("Both CLIs read it."),
    check: "stdio-offer",
    needs: ["files"],
    async run({ target }) {
      const offers = target.files.filter(({ content }) => content?.stdio !== undefined);
      if (offers.length === 0) throw new NotRun("none is made");
      const problems = offers.flatMap(({ path, content }) => {
        const { command, args } = isJson(content?.stdio) ? content.stdio : {};
        const areWords = Array.isArray(args) && args.every((word) => typeof word === "string");
        return typeof command === "string" && command !== "" && areWords
          ? []
          : [`in ${path} stdio is ${quote(content?.stdio)}, without a command and an array of args`];
      });
      demandNone(problems);
    },
    fault: {
      good: { lock: fields({ stdio: { command: "companion", args: [] } }) },
      lock: fields({ stdio: { command: "companion" } }),
      says: /without a command and an array of args/,
    },
  },
};
