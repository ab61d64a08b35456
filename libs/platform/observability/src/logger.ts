import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import { textWithoutSecrets, withoutSecrets } from './redaction';

export type { Logger } from 'pino';

// Further lines are dropped when the reader of the log is slow, so that buffered lines do not fill the memory.
const maxWaitingBytes = 8 * 1024 * 1024;
// One write costs as much as formatting twenty lines.
const minWriteBytes = 12 * 1024;

// One asynchronous destination per process, because a log line must not delay a request.
let destination: ReturnType<typeof pino.destination> | undefined;
// Lines are buffered for larger writes. This interval flushes the lines of a quiet service.
const flushAfterMs = 250;
let flushing: NodeJS.Timeout | undefined;

/** Creates the logger of an app: JSON lines on standard output. Fields with secret names are redacted. */
export function createLogger(app: string, level = process.env['LOG_LEVEL'] || 'info'): Logger {
  const logger = pino(
    {
      level,
      base: { app },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
      hooks: { logMethod: writeWithoutSecrets },
      // The formatter has already converted errors.
      serializers: { err: (described: unknown) => described },
    },
    logDestination(),
  );
  // pino applies no formatter to the bindings of a child logger.
  const { child } = logger;
  return Object.assign(logger, {
    child(this: Logger, fields: Record<string, unknown>) {
      return child.call(this, withoutSecrets(fields));
    },
  });
}

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>;

/** Redacts the message of a line and its arguments, because pino applies no formatter to them. */
const writeWithoutSecrets: LogMethod = function (given, log) {
  const [first, ...rest] = given as unknown[];
  // An error without a separate message is logged with its own message.
  const line =
    first instanceof Error && rest.length === 0 ? [{ err: first }, first.message] : [first, ...rest];
  log.apply(this, line.map((it) => (typeof it === 'string' ? textWithoutSecrets(it) : it)) as typeof given);
};

/**
 * Returns the destination, which flushes shortly after a line. Without lines no timer runs, so that an idle
 * process can sleep.
 */
export function logDestination(): pino.DestinationStream {
  const opened = (destination ??= pino.destination({
    dest: 1,
    sync: false,
    minLength: minWriteBytes,
    maxLength: maxWaitingBytes,
  }));
  return {
    write(line: string): void {
      opened.write(line);
      flushing ??= setTimeout(flush, flushAfterMs).unref();
    },
  };
}

function flush(): void {
  flushing = undefined;
  destination?.flush();
}

/** Writes all buffered lines. Call it last before the process ends. */
export function flushLogs(): void {
  try {
    destination?.flushSync();
  } catch {
    // The reader has closed the pipe.
  }
}

/** Writes Nest's own lines (start, shutdown, wiring errors) to the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}
