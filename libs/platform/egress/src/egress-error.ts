/**
 * Reasons for a missing reply:
 * - `refused`: its destination is not allowed; nothing was sent
 * - `unresolved`: the name has no address at present
 * - `unreachable`: no connection could be made
 * - `insecure`: the certificate is not valid for that name, or the TLS handshake failed
 * - `timeout`: the reply did not arrive in time
 * - `closed`: the connection ended before the reply
 * - `malformed`: the reply is not HTTP, or its headers are too large
 */
export type EgressFailure =
  | 'refused'
  | 'unresolved'
  | 'unreachable'
  | 'insecure'
  | 'timeout'
  | 'closed'
  | 'malformed';

/** An error with a fixed message, because messages of the server or the system may quote the URL. */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  constructor(
    readonly failure: EgressFailure,
    message: string,
  ) {
    super(message);
  }
}

const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN'];

/** Classifies an error of node:http, node:https or node:net by its code. */
export function failureOf(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const codes = [error, ...((error as { errors?: unknown[] }).errors ?? [])].map(
    (each) => (each as { code?: unknown } | null)?.code,
  );
  const code = codes.find((each): each is string => typeof each === 'string') ?? '';
  if (unreachable.includes(code)) return new EgressError('unreachable', 'No connection could be made.');
  if (code === 'ETIMEDOUT') return new EgressError('unreachable', 'No connection could be made in time.');
  if (code.startsWith('HPE_')) return new EgressError('malformed', 'The answer was not HTTP.');
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH)/.test(code))
    return new EgressError('insecure', 'The certificate or the TLS of the server cannot be accepted.');
  return new EgressError('closed', 'The connection was closed before an answer.');
}
