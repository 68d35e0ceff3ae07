/** What is sent of diagnostics at once. */
export const diagnosticLimits = {
  /** Diagnostics, errors first. */
  diagnostics: 500,
  /** UTF-16 code units of one message. */
  message: 2000,
} as const;
