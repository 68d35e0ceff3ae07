import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Host } from "../../packages/companion/src/agents/index.ts";

/** A machine of a part's own: home, temporary folder and workspace, gone with `remove` or this process. */
export interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly host: Host;
  /** For processes that shall live in it. */
  readonly env: Readonly<Record<string, string>>;
  /** Idempotent. */
  remove(): void;
}

export function createPlace(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ide-companion-torture-")));
  const make = (name: string) => {
    mkdirSync(join(folder, name), { mode: 0o700 });
    return join(folder, name);
  };
  const [home, tmp, workspace] = [make("home"), make("tmp"), make("workspace")] as const;
  const remove = () => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  process.once("exit", remove);
  return {
    folder,
    workspace,
    host: { tmp, home, env: {}, delimiter },
    env: {
      HOME: home,
      USERPROFILE: home,
      TMPDIR: tmp,
      TMP: tmp,
      TEMP: tmp,
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
    },
    remove,
  };
}
