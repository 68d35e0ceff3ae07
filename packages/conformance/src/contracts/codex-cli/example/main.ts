#!/usr/bin/env node
import { startCodexExampleProcess } from "./companion.ts";

await startCodexExampleProcess();
