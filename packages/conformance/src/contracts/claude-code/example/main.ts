#!/usr/bin/env node
import { startClaudeExampleProcess } from "./companion.ts";

await startClaudeExampleProcess();
