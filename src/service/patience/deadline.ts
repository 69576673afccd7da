// Why a run was stopped: its time is up, as opposed to an interruption.

/** What a signal is aborted with. */
export function outOfTime(): DOMException {
  return new DOMException('the time of the run is up', 'TimeoutError');
}

export function isOutOfTime(reason: unknown): reason is DOMException {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Why a run was stopped, for a person. */
export function stopText(signal: AbortSignal): string {
  return isTimeUp(signal) ? 'the time of the run is up (run_timeout, --timeout)' : 'interrupted';
}

export function isTimeUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && isOutOfTime(reason);
}
