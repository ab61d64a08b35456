import { STATUS_CODES } from 'node:http';
import { jsonType } from './replies';
import { standingHeaders } from './standing-headers';

/** A complete HTTP reply as text, for sockets without a Node response. The connection closes afterwards. */
export function rawReply(
  status: number,
  body: string,
  requestId: string,
  more: Record<string, string> = {},
): string {
  const headers = {
    ...standingHeaders,
    ...more,
    'x-request-id': requestId,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
