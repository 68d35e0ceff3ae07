export function partsOfNpm(name: string): string;
