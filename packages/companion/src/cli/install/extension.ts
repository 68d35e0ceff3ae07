import type { ExtensionPart, Machine } from "../../editors/set-up/plan.ts";

/** The version of an extension that the editor has; undefined when it has none. */
export async function installedVersion(
  { program, id }: Pick<ExtensionPart, "program" | "id">,
  { run }: Machine,
): Promise<string | undefined> {
  const list = await run(program, ["--list-extensions", "--show-versions"]);
  const line = list.split(/\r?\n/).find((each) => each.toLowerCase().startsWith(`${id}@`));
  return line?.slice(id.length + 1).trim();
}

/** Puts it in the place of every other version. */
export const installExtension = ({ program, file }: ExtensionPart, { run }: Machine): Promise<string> =>
  run(program, ["--install-extension", file, "--force"]);

export const uninstallExtension = (
  { program, id }: Pick<ExtensionPart, "program" | "id">,
  { run }: Machine,
): Promise<string> => run(program, ["--uninstall-extension", id]);
