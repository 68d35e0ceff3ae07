/** As editors with a command picker show them. */
export const commands = {
  accept: "ide-companion.accept",
  reject: "ide-companion.reject",
  revert: "ide-companion.revert",
  shareSelection: "ide-companion.shareSelection",
  status: "ide-companion.status",
  pause: "ide-companion.pause",
  resume: "ide-companion.resume",
} as const;
