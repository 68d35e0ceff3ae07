interface BrowserOptions {
  readonly executablePath: string;
  readonly args: string[];
}

/** @see browser.mjs */
export const browserOptions: BrowserOptions;

/** @see browser.mjs */
export const shellOptions: BrowserOptions;
