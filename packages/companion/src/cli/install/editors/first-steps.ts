/** What every editor's user does next. */
export const firstSteps = (editor: string): readonly string[] => [
  `Start ${editor} with a file, and gemini or qwen in the same project: /ide status then says Connected to ${editor}.`,
];
