// How hosts of code name files: from the root of the repository. Knows no host and no disk; src/commands/repository.ts finds the root.

/** A file as the command names it, seen from where it stands, in; null for one that is not in the repository. */
export type PathInRepository = (file: string) => string | null;

/** Where nobody knows of a repository, files are named as the command names them. */
export const asNamed: PathInRepository = (file) => file;
