import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The replies of each connection that are not finished yet; a client may pipeline several requests. */
@Injectable()
export class RepliesInProgress {
  private readonly bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  add(socket: Socket, reply: ServerResponse): void {
    const replies = this.bySocket.get(socket);
    if (replies) replies.add(reply);
    else this.bySocket.set(socket, new Set([reply]));
  }

  remove(socket: Socket, reply: ServerResponse): void {
    this.bySocket.get(socket)?.delete(reply);
  }

  /** Whether part of a reply is on its way: anything written now would be read as the rest of it. */
  hasBegun(socket: Socket): boolean {
    for (const { headersSent, writableFinished } of this.bySocket.get(socket) ?? [])
      if (headersSent && !writableFinished) return true;
    return false;
  }
}
