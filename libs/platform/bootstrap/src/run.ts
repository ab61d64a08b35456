import { ConfigurationError } from '@tollbridge/config';
import { flushLogs, stopTracing } from '@tollbridge/observability';
import { setFlagsFromString } from 'node:v8';

export interface Closable {
  close(): Promise<void>;
  /** Time-out of `close` in milliseconds. After it the process exits with code 1. */
  closeTimeoutMs?: number;
}

// Must be shorter than the grace period of the orchestrator.
const defaultCloseTimeoutMs = 20_000;
// A start that hangs, for example on an unreachable server, must not delay the exit.
const startTimeoutMs = 2_000;

/**
 * The body of every `main.ts`: starts the service, and closes it on SIGTERM or Ctrl-C. The exit code is
 * `process.exitCode`, 0 by default.
 */
export function run(start: () => Promise<Closable>): void {
  // By default V8 allocates the objects of calls in the old generation, because calls in flight survive. Only full
  // collections free objects there, so the gateway would spend twice the time on garbage (bench row "read an order").
  setFlagsFromString('--no-allocation-site-pretenuring');
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
    const closeStarted = (started: Closable): Promise<void> => {
      setTimeout(() => exit(1), started.closeTimeoutMs ?? defaultCloseTimeoutMs).unref();
      return started.close();
    };
    running.then(closeStarted).then(end, fail);
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
