import { transactionStream } from '@tollbridge/contracts';
import { IncomingMessage } from 'node:http';

/**
 * Where a server listens for upgrades, Node takes every request that asks for one from the routes, whatever its path and
 * protocol, with its body unread. Some HTTP clients ask for HTTP/2 so with each request. Here only the handshake of the
 * stream is an upgrade; all others are requests like any.
 */
export class PublicRequest extends IncomingMessage {
  private asksForUpgrade = false;

  /** Node says whether the request asks for an upgrade, and asks here whether it gets one. */
  get upgrade(): boolean {
    return this.asksForUpgrade && isStreamHandshake(this);
  }

  set upgrade(asks: unknown) {
    this.asksForUpgrade = asks === true;
  }
}

function isStreamHandshake({ method, url = '', headers }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0];
  // The router takes a slash at the end too.
  const isPath = path === transactionStream.path || path === `${transactionStream.path}/`;
  return isPath && method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}
