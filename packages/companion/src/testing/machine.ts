import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { Place } from "../agents/doctor/checked-cli.ts";
import type { Host } from "../system/host.ts";

/** A machine as an agent's CLI sees it, all of it the test's own. */
export interface Machine extends Place {
  /** Writes a file: below `tmp`, `home` or `folder`. */
  put(where: "tmp" | "home" | "folder", name: string, content: unknown): string;
  /** The same machine with other facts. */
  with(facts: Partial<Place> & { readonly env?: Host["env"] }): Machine;
}

export function createMachine(): Machine {
  const root = privateFolder();
  const make = (name: string) => {
    mkdirSync(path.join(root, name));
    return path.join(root, name);
  };
  const folders = { tmp: make("tmp"), home: make("home"), folder: make("project") };
  const toMachine = (place: Place): Machine => ({
    ...place,
    put(where, name, content) {
      const file = path.join(folders[where], name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
      return file;
    },
    with({ env, ...facts }) {
      const host = { ...place.host, ...(env && { env }) };
      return toMachine({ ...place, host, ...facts });
    },
  });
  return toMachine({
    host: { tmp: folders.tmp, home: folders.home, env: {}, delimiter: ":" },
    platform: "linux",
    folder: folders.folder,
  });
}
