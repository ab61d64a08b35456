import { DomainError } from '@tollbridge/rpc';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export interface RejectionReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The HTTP reply to a rejected handshake, in the envelope of `/v1/`. */
export function rejectionReply(error: DomainError, more: Record<string, string> = {}): RejectionReply {
  const { code, message, status, retryAfterSeconds: retryAfter } = error;
  const body = JSON.stringify({
    success: false,
    data: null,
    error: { code, message },
    ...(retryAfter !== undefined && { retryAfter }),
    timestamp: new Date().toISOString(),
  });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...(status === 426 && { upgrade: 'websocket' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...more,
  };
  return { status, headers, body };
}

/** Writes the reply to the raw socket of an upgrade request, because Node provides no response object for it. */
export function rejectUpgrade(socket: Duplex, { status, headers, body }: RejectionReply): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
