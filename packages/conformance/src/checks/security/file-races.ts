import { watch } from "node:fs";
import { chmod, mkdir, readdir, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { folderOf, type Places, recognise } from "../../target/discovery-file.ts";
import type { World } from "../../target/started-companion.ts";
import { demand, demandNone, NotRun } from "../../verdict.ts";
import type { Check } from "../check.ts";

const kinds = ["gemini", "qwen", "qwen-lock"] as const;

const foldersOf = (places: Places) => kinds.map((kind) => folderOf(kind, places));

/** @throws NotRun elsewhere. */
function needUnix(): void {
  if (process.platform === "win32") throw new NotRun("links and modes are another matter on Windows");
}

export const appearsWhole: Check = {
  id: "appears-whole",
  title: "a discovery file appears whole, by a rename",
  requirements: ["S14"],
  lane: "process",
  needs: ["command"],
  async run({ start, note, limits }) {
    if (process.platform !== "linux")
      throw new NotRun("only Linux tells of each step in the making of a file");
    const steps: string[] = [];
    const controller = new AbortController();
    const prepare = async ({ places }: World) => {
      for (const folder of foldersOf(places)) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        watch(folder, { signal: controller.signal }, (step, name) => {
          // A rename shows the name once; writing in place, or chmod, shows it again as changed.
          if (name !== null && recognise(folder, name, places))
            steps.push(`${step} ${path.join(folder, name)}`);
        });
      }
    };
    try {
      const { files } = await start({ prepare });
      const wanted = await files();
      const seen = () => wanted.every((file) => steps.some((step) => step.endsWith(file.path)));
      for (const until = performance.now() + limits.event; !seen() && performance.now() < until; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      controller.abort();
    }
    note(`In this order: ${steps.join(", ")}`);
    const changed = steps.filter((step) => step.startsWith("change "));
    demand(
      changed.length === 0,
      `written or changed in place, where a CLI may read half of it: ${[...new Set(changed)].join(", ")}`,
    );
  },
};

export const linkedFolder: Check = {
  id: "linked-folder",
  title: "a folder that was replaced by a symbolic link is not written to",
  requirements: ["S15"],
  lane: "process",
  needs: ["command"],
  async run({ start, note }) {
    needUnix();
    const problems: string[] = [];
    // One after the other: who links all of them has a companion that cannot be found at all.
    for (const kind of kinds) {
      let trap = "";
      const prepare = async ({ places, workspace }: World) => {
        const link = folderOf(kind, places);
        trap = path.join(workspace, "..", "trap");
        await mkdir(trap);
        await mkdir(path.dirname(link), { recursive: true, mode: 0o700 });
        await symlink(trap, link);
      };
      const failure = await start({ prepare }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (failure !== undefined) note(`With the folder of ${kind} linked it does not start: ${failure}`);
      const files = await readdir(trap);
      if (files.length > 0)
        problems.push(`through a link at the folder of ${kind} it has written ${files.join(", ")}`);
    }
    demandNone(problems);
  },
};

export const openFolder: Check = {
  id: "open-folder",
  title: "a folder that others may write to is closed, or not used",
  requirements: ["S16"],
  lane: "process",
  needs: ["command"],
  async run({ start, note }) {
    needUnix();
    const prepare = async ({ places }: World) => {
      for (const folder of foldersOf(places)) {
        await mkdir(folder, { recursive: true });
        await chmod(folder, 0o777); // whatever the umask says
      }
    };
    const failure = await start({ prepare }).then(
      async ({ world, files }) => {
        const problems: string[] = [];
        for (const folder of new Set((await files()).map((file) => path.dirname(file.path)))) {
          const { mode } = await stat(folder);
          if ((mode & 0o022) !== 0)
            problems.push(`${path.relative(world.places.tmp, folder)} is still open to others`);
        }
        demandNone(problems);
      },
      (error: Error) => error,
    );
    if (failure) note(`It does not start: ${failure.message}`);
  },
};
