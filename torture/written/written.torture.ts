import { torture } from "../torture.ts";
import { runWritten } from "./written.ts";

torture(
  "written",
  "two agents write by tools and commands, their user edits, commits, keeps and reverts; some are killed",
  (options) => runWritten(options, 10_000),
);
