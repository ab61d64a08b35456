import type { ServerResponse } from 'node:http';
import type { Grant } from './grant';
import { HeldGrant } from './official/held-grant';
import { HeldResponse } from './official/held-response';
import {
  interceptResponse,
  ResponseRecord,
  setResponseHeaders,
  type ResponseMethod,
  type ResponseMethods,
} from './response-record';

/** Longer responses are not stored for retries. */
const maxStoredBytes = 64 * 1024;

/**
 * Adds the headers of a grant to a response. A response that causes a refund waits for the refund's outcome and reports
 * it. It wraps Node's response, so that responses of the framework's error handlers and filters are included.
 */
export function watchResponse(response: ServerResponse, grant: Grant | HeldGrant): void {
  setResponseHeaders(response, grant.headers);
  if (grant instanceof HeldGrant) return void new HeldResponse(response, grant);
  void new ResponseWatch(response, grant);
  if (grant.keepsResponse) releaseWhenDestroyed(response, grant);
}

/**
 * Releases the call if the handler destroys the response. After a disconnect of the client, the response is still
 * stored.
 */
function releaseWhenDestroyed(response: ServerResponse, grant: Grant): void {
  const { destroy } = response;
  response.destroy = (error) => {
    if (!response.writableEnded) grant.release();
    return destroy.call(response, error);
  };
}

class ResponseWatch {
  private readonly below: ResponseMethods;
  /** Set from the first call of a response method on. */
  private state: 'passed' | 'held' | 'recorded' | undefined;
  private readonly held: [ResponseMethod, unknown[]][] = [];
  /** Set only for responses that are stored. */
  private record: ResponseRecord | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly grant: Grant,
  ) {
    this.below = interceptResponse(response, (name, parameters) => this.on(name, parameters));
  }

  private on(name: ResponseMethod, parameters: unknown[]): unknown {
    this.state ??= this.begin(name, parameters);
    if (this.state === 'held') {
      this.held.push([name, parameters]);
      // Behaves like a full buffer, so that a pipe waits for `drain`.
      return name === 'write' ? false : this.response;
    }
    if (this.state === 'passed') return this.call(name, parameters);
    const record = (this.record ??= new ResponseRecord(this.response, maxStoredBytes));
    record.add(name, parameters);
    const result = this.call(name, parameters);
    if (name === 'end') this.grant.keepRecord(record.ended());
    return result;
  }

  private begin(name: ResponseMethod, [status]: unknown[]): 'passed' | 'held' | 'recorded' {
    const sentStatus = name === 'writeHead' && typeof status === 'number' ? status : this.response.statusCode;
    if (!this.grant.isRefunded(sentStatus)) return this.grant.keepsResponse ? 'recorded' : 'passed';
    void this.grant.refund().then((headers) => this.release(headers));
    return 'held';
  }

  private release(headers: Grant['headers']): void {
    this.state = 'passed';
    const { response } = this;
    if (response.destroyed) return;
    setResponseHeaders(response, headers);
    for (const [name, parameters] of this.held) this.call(name, parameters);
    if (!response.writableEnded && !response.writableNeedDrain) response.emit('drain');
  }

  private call(name: ResponseMethod, parameters: unknown[]): unknown {
    return this.below[name].apply(this.response, parameters);
  }
}
