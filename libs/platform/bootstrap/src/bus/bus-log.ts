import type { Logger } from '@tollbridge/observability';
import { ErrorCode } from 'nats';

const routine = new Set(['reconnecting', 'reconnect', 'update']);

/**
 * Logs a status change of the NATS connection. `status` is an event name of nats.js; `detail` is an address,
 * a list of servers or an error.
 */
export function logBusStatus(logger: Logger, status: string, detail: unknown): void {
  // Permission violations are logged elsewhere, with their subject.
  if (status === 'pingTimer' || detail === ErrorCode.PermissionsViolation) return;
  const fields = { status, ...(detail instanceof Error ? { err: detail } : { detail }) };
  if (routine.has(status)) logger.info(fields, 'bus status changed');
  else logger.warn(fields, 'bus status changed');
}
