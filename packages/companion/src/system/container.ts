import { existsSync } from "node:fs";

/** Whether this process runs in a container, by the signs that the agent CLIs go by. */
export const isInContainer = (): boolean => existsSync("/.dockerenv") || existsSync("/run/.containerenv");
