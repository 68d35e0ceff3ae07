export { Cursor, IdeContext, OpenFile } from "./context.ts";
export { DiscoveryFile, IdeInfo } from "./discovery.ts";
export { HealthReport } from "./health.ts";
export { contextLimits, diagnosticLimits, maxBodyBytes, maxPathLength } from "./limits.ts";
export { DiffAccepted, DiffRejected, events, notifications } from "./notifications.ts";
export {
  type CapabilityName,
  capabilityTools,
  Diagnostic,
  Diagnostics,
  GetDiagnosticsInput,
  OpenFileInput,
} from "./optional-capabilities.ts";
export { CloseDiffInput, FilePathInput, OpenDiffInput, type ToolName, tools } from "./tools.ts";
export { WatchDecision, WatchNews, WatchReport } from "./watch.ts";
