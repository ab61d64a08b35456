import { createServer, type Server } from 'node:http';
import type { Metrics } from '@tollbridge/observability';

export interface HealthReport {
  /** `standby`: every check passes, but another process serves. */
  status: CheckResult;
  checks: Record<string, CheckResult>;
}

export type CheckResult = 'ok' | 'standby' | 'unavailable';
export type ReadinessCheck = () => boolean | 'standby' | Promise<boolean>;
export type ReadinessChecks = Record<string, ReadinessCheck>;

// An orchestrator polls every few seconds with a time-out of one second. A check that hangs counts as failed.
const checkTimeoutMs = 900;

export async function readiness(checks: ReadinessChecks): Promise<HealthReport> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
  );
  const found = new Set(results.map(([, result]) => result));
  const status = found.has('unavailable') ? 'unavailable' : found.has('standby') ? 'standby' : 'ok';
  return { status, checks: Object.fromEntries(results) };
}

async function resultOf(check: ReadinessCheck): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>(
    (resolve) => (timer = setTimeout(() => resolve(false), checkTimeoutMs)),
  );
  return Promise.race([Promise.resolve().then(check), timeout])
    .then((result) => (result === 'standby' ? result : result ? 'ok' : 'unavailable'))
    .catch(() => 'unavailable' as const)
    .finally(() => clearTimeout(timer));
}

/** Serves health and metrics of one app on a separate port, which must not be public. */
export async function startManagementServer(options: {
  host: string;
  port: number;
  metrics: Pick<Metrics, 'exposition'>;
  checks: ReadinessChecks;
}): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    const json = (status: number, body: unknown) => answer(status, 'application/json', JSON.stringify(body));
    const unanswered = (error: Error) => json(500, { error: error.name });
    const path = request.url?.split('?', 1)[0];
    if (path === '/health/live') json(200, { status: 'ok' });
    else if (path === '/health/ready') {
      readiness(options.checks).then(
        // A standby counts as ready, so that a rolling update continues.
        (report) => json(report.status === 'unavailable' ? 503 : 200, report),
        unanswered,
      );
    } else if (path === '/metrics') {
      options.metrics
        .exposition(request.headers.accept)
        .then(({ contentType, text }) => answer(200, contentType, text), unanswered);
    } else json(404, { error: 'Here are /health/live, /health/ready and /metrics.', code: 'NOT_FOUND' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return server;
}
