/** What Claude Code would propose, without it and its model. @param shop folder of the sample */
export function proposeAsClaude(env: { readonly HOME: string }, shop: string): Promise<{ close(): void }>;
