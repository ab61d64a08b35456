import { DomainError } from '@tollbridge/rpc';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export interface RefusalReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** How a request that does not become a WebSocket is answered: in the envelope, like all below `/v1/`. */
export function refusalReply(error: DomainError, more: Record<string, string> = {}): RefusalReply {
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

/** Writes it to the socket of a request that asked for an upgrade: Node gives no response for those. */
export function refuseUpgrade(socket: Duplex, { status, headers, body }: RefusalReply): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
