export declare const compiled: string;
