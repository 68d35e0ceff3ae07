#!/usr/bin/env node
import { startExampleProcess } from "./companion.ts";

await startExampleProcess();
