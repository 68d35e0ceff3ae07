import { InstallError, type Machine } from "./plan.ts";

/**
 * Editors start this program by its name.
 * @throws InstallError when they would not find it
 */
export function requireCommand({ find }: Machine): void {
  if (find("ide-companion")) return;
  throw new InstallError(
    "there is no ide-companion in your PATH, and editors start it by this name: npm install --global ide-companion",
  );
}
