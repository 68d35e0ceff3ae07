import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createPauseMarks } from "../../core/sharing/pause-marks.ts";
import { privateHost } from "../../testing/core.ts";
import { createSharingSwitch } from "./sharing-switch.ts";

test("a folder is paused, and resumed also where one above it is paused", () => {
  const host = privateHost();
  const above = privateFolder();
  const root = path.join(above, "app");
  mkdirSync(root);
  const marks = createPauseMarks(host);
  const sharing = createSharingSwitch(host, root);
  sharing.pause();
  expect(marks.has([root])).toBe(true);
  marks.add([above]);
  sharing.resume();
  expect([marks.has([root]), marks.has([above])]).toEqual([false, false]);
});
