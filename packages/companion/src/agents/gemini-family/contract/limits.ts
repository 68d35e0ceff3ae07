/** The largest request body we read, in bytes. A proposal is always a whole file. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** What is sent of diagnostics at once. */
export const diagnosticLimits = {
  /** Diagnostics, errors first. */
  diagnostics: 500,
  /** UTF-16 code units of one message. */
  message: 2000,
} as const;
