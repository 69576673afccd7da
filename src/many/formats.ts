// The formats of reports. Every start of the command line loads it.

/** Every operation has each of them. */
export const FORMATS = ['text', 'json', 'html', 'markdown', 'csv', 'junit', 'sarif', 'codequality'] as const;
export type Format = (typeof FORMATS)[number];
