import { ConfigurationError } from '@tollbridge/config';
import { flushLogs, stopTracing } from '@tollbridge/observability';

export interface Closable {
  close(): Promise<void>;
}

// Longer than a request may take; an orchestrator kills after its own, longer, time.
const closeTimeoutMs = 20_000;
// A start that hangs, for example on an unreachable server, does not delay the exit.
const startTimeoutMs = 2_000;

/**
 * The body of every `main.ts`: starts, and closes on SIGTERM or Ctrl-C with exit code 0, or with the one that
 * `process.exitCode` asks for.
 */
export function run(start: () => Promise<Closable>): void {
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
  let app: Closable | undefined;
  const running = start().then((started) => (app = started));
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    const end = (): void => exit(Number(process.exitCode ?? 0));
    setTimeout(() => app ?? end(), startTimeoutMs).unref();
    setTimeout(() => exit(1), closeTimeoutMs).unref();
    running.then((started) => started.close()).then(end, fail);
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  running.catch(fail);
}

function fail(error: unknown): void {
  flushLogs();
  const text =
    error instanceof ConfigurationError
      ? error.message
      : error instanceof Error
        ? error.stack
        : String(error);
  process.stderr.write(`${text}\n`);
  exit(1);
}

function exit(code: number): void {
  flushLogs();
  void stopTracing().finally(() => process.exit(code));
}
