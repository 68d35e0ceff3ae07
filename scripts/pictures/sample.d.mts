type Proposed = readonly [agent: string, file: string, text: string];
export declare const files: Readonly<Record<string, string>>;
export declare const proposals: readonly [Proposed, Proposed];
export declare const settled: Proposed;
export declare function writeSample(folder: string): Promise<void>;
