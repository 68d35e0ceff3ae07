export declare const files: Readonly<Record<string, string>>;
export declare const proposals: readonly (readonly [agent: string, file: string, text: string])[];
export declare const settled: readonly [agent: string, file: string, text: string];
