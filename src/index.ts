// The library: everything the command line does can be called from here.
export * from './errors.ts';
export type * from './model.ts';
