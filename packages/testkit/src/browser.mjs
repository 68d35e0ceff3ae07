/** Debian's Chromium, asking nothing but this machine: for tests and pictures. */
export const browserOptions = {
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  ],
};

/** The same Chromium without windows and profiles, for tests of the page alone: a new context takes a quarter of the time. */
export const shellOptions = { ...browserOptions, executablePath: "/usr/bin/chromium-headless-shell" };
