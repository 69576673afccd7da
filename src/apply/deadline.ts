// The signal that stops a run in; whether it was stopped because its time is up, and not because somebody interrupted it, out.

export function isTimeUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}
