// The port of a worker for those who watch it, on this machine only: `/health`, and `/metrics` for Prometheus.

import { createServer } from 'node:http';
import { type LoopbackServer, listenOnLoopback } from '../../base/loopback.ts';
import type { WorkerStatus } from '../../many/workers/worker.ts';

export interface WatchedWorker {
  readonly status: () => WorkerStatus;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds after which a worker that the database has not heard of counts as dead. */
  readonly ttl: number;
}

/** @param port - 0: any that is free. @throws UsageError for a port that is taken */
export async function openPort(port: number, worker: WatchedWorker): Promise<LoopbackServer> {
  const server = createServer(({ method, url }, reply) => {
    const page = method === 'GET' ? pageOf(url ?? '', worker) : { status: 405, text: 'only GET\n' };
    reply.writeHead(page.status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(page.text);
  });
  return listenOnLoopback(server, port, 'name another, or 0 for any that is free');
}

interface Page {
  readonly status: number;
  readonly text: string;
}

function pageOf(url: string, { status, now, ttl }: WatchedWorker): Page {
  const { renewed, ...counts } = status();
  const silence = Math.max(0, now() - renewed) / 1000;
  switch (url) {
    case '/health':
      return silence * 1000 < ttl
        ? { status: 200, text: 'ok\n' }
        : { status: 503, text: `the database has not heard of this worker for ${Math.round(silence)} s\n` };
    case '/metrics':
      return { status: 200, text: metrics({ ...counts, silence }) };
    default:
      return { status: 404, text: 'there are /health and /metrics\n' };
  }
}

type Figures = Omit<WorkerStatus, 'renewed'> & { readonly silence: number };

const METRICS: readonly (readonly [keyof Figures, name: string, type: 'gauge' | 'counter', help: string])[] = [
  ['working', 'chatform_worker_targets_working', 'gauge', 'Targets under way.'],
  ['waiting', 'chatform_worker_targets_waiting', 'gauge', 'Targets that were claimed, and wait for their turn.'],
  ['runs', 'chatform_worker_runs', 'gauge', 'Runs that this worker drives.'],
  ['ended', 'chatform_worker_ended_total', 'counter', 'Targets, gates and runs that ended.'],
  ['notBegun', 'chatform_worker_not_begun_total', 'counter', 'Jobs of runs that were cancelled, or had stopped.'],
  ['refused', 'chatform_worker_refused_total', 'counter', 'Jobs that were left to other workers.'],
  ['broken', 'chatform_worker_broken_total', 'counter', 'Jobs whose work threw: a bug, or a database that is away.'],
  ['silence', 'chatform_worker_silence_seconds', 'gauge', 'Time since the database last heard of this worker.'],
];

function metrics(figures: Figures): string {
  return METRICS.map(
    ([member, name, type, help]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${figures[member]}\n`,
  ).join('');
}
