import { ConfigurationError } from '@tollbridge/config';
import { flushLogs, stopTracing } from '@tollbridge/observability';

export interface Closable {
  close(): Promise<void>;
}

// Longer than a request may take; an orchestrator kills after its own, longer, time.
const closeTimeoutMs = 20_000;

/** The body of every `main.ts`: starts, and closes on SIGTERM or Ctrl-C with exit code 0. */
export function run(start: () => Promise<Closable>): void {
  const running = start();
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => exit(1), closeTimeoutMs).unref();
    running
      .then((app) => app.close())
      .then(
        () => exit(0),
        (error) => fail(error),
      );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  process.on('unhandledRejection', (error) => fail(error));
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
