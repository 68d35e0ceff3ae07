#!/usr/bin/env node
import { startCodexExample } from "../contracts/codex-cli/example/companion.ts";
import { serveExample } from "./editor.ts";

// The example companion, of Codex CLI: `node main.js`.
serveExample(await startCodexExample());
