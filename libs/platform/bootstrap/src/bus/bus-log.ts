import type { Logger } from '@tollbridge/observability';
import { ErrorCode } from 'nats';

const routine = new Set(['reconnecting', 'reconnect', 'update']);

/**
 * Logs what happens to a connection to NATS, in the words of nats.js: `detail` is an address, a list of servers or an
 * error.
 */
export function logBusStatus(logger: Logger, status: string, detail: unknown): void {
  // Violations are logged with their subject.
  if (status === 'pingTimer' || detail === ErrorCode.PermissionsViolation) return;
  const fields = { status, ...(detail instanceof Error ? { err: detail } : { detail }) };
  if (routine.has(status)) logger.info(fields, 'bus status changed');
  else logger.warn(fields, 'bus status changed');
}
