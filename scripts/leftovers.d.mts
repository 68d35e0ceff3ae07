export function findLeftovers(tmp: string): Promise<{ pid: number; command: string }[]>;
