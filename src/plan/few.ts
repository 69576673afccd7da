// Names in, as many as a sentence bears out.

const MOST = 8;

export function few(names: readonly string[]): string {
  const shown = names.slice(0, MOST).join(', ');
  return names.length > MOST ? `${shown} and ${names.length - MOST} more` : shown;
}
