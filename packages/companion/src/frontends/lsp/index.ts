export { type LspFrontend, type LspFrontendOptions, startLspFrontend } from "./lsp-frontend.ts";
