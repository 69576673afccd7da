// What something is called in a report.

/** What nothing declares goes by its id. */
export function addressOf(kind: string, reference: string): string {
  return reference.startsWith(`${kind}/`) ? reference : `${kind}/${reference}`;
}
