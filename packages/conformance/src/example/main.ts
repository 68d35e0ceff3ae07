#!/usr/bin/env node
import { startExampleProcess } from "./process.ts";

await startExampleProcess();
