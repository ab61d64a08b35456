import { transactionStream } from '@tollbridge/contracts';
import { IncomingMessage } from 'node:http';

/**
 * A request that is an upgrade only if it is the handshake of the stream. Node sends no upgrade request to the routes,
 * and leaves its body unread. Some HTTP clients ask for HTTP/2 with each request, and these must be ordinary requests.
 */
export class PublicRequest extends IncomingMessage {
  private asksForUpgrade = false;

  /** Node sets whether the request asks for an upgrade, and reads whether it gets one. */
  get upgrade(): boolean {
    return this.asksForUpgrade && isStreamHandshake(this);
  }

  set upgrade(asks: unknown) {
    this.asksForUpgrade = asks === true;
  }
}

function isStreamHandshake({ method, url = '', headers }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0];
  // The router accepts a trailing slash too.
  const isPath = path === transactionStream.path || path === `${transactionStream.path}/`;
  return isPath && method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}
