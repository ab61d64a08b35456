import type { ServerResponse } from 'node:http';
import type { Answer } from '../answers';
import {
  interceptResponse,
  ResponseRecord,
  setResponseHeaders,
  type ResponseMethod,
  type ResponseMethods,
} from '../response-record';
import { sendAnswer } from '../send-answer';
import type { Charged, HeldGrant } from './held-grant';

/** Longer responses are not stored for retries. */
const maxStoredBytes = 1024 * 1024;

/**
 * - `passed`: sent unchanged, because it is uncharged or is the paywall's own answer
 * - `held`: buffered until the outcome of the charge
 * - `charged`: sent, and recorded for retries
 * - `kept`: only recorded, because the outcome is unknown
 * - `dropped`: discarded, because the buyer got another answer
 */
type State = 'passed' | 'held' | 'charged' | 'kept' | 'dropped';

/**
 * Holds a response from its beginning until the payment is charged. It wraps Node's response, so that responses of the
 * framework's error handlers and filters are included.
 */
export class HeldResponse {
  private readonly below: ResponseMethods;
  private readonly record: ResponseRecord;
  private state: State | undefined;
  private held: [ResponseMethod, unknown[]][] = [];
  private unknown: Extract<Charged, { status: 'unknown' }> | undefined;
  private hasEnded = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly grant: HeldGrant,
  ) {
    this.record = new ResponseRecord(response, maxStoredBytes);
    this.below = interceptResponse(response, (name, parameters) => this.on(name, parameters));
    this.endWhenDestroyed();
  }

  private on(name: ResponseMethod, parameters: unknown[]): unknown {
    this.state ??= this.begin(name, parameters);
    if (this.state === 'held') {
      this.held.push([name, parameters]);
      // Behaves like a full buffer, so that a pipe waits for `drain`.
      return name === 'write' ? false : this.response;
    }
    if (this.state === 'passed') return this.call(name, parameters);
    if (this.state === 'dropped') return this.drop(name, parameters);
    return this.state === 'charged' ? this.pass(name, parameters) : this.keep(name, parameters);
  }

  private begin(name: ResponseMethod, [status]: unknown[]): State {
    const sentStatus = name === 'writeHead' && typeof status === 'number' ? status : this.response.statusCode;
    if (this.grant.isRefunded(sentStatus)) {
      setResponseHeaders(this.response, this.grant.release());
      return 'passed';
    }
    void this.grant.settle().then((charged) => this.follow(charged));
    return 'held';
  }

  private follow(charged: Charged): void {
    const held = this.held;
    this.held = [];
    if (charged.status === 'settled') {
      this.state = 'charged';
      if (!this.response.headersSent) setResponseHeaders(this.response, charged.headers);
      for (const [name, parameters] of held) this.pass(name, parameters);
    } else if (charged.status === 'failed') {
      this.answer(charged.answer, held);
    } else {
      this.state = 'kept';
      this.unknown = charged;
      for (const [name, parameters] of held) this.keep(name, parameters);
    }
    const { response } = this;
    if (!response.destroyed && !response.writableEnded && !response.writableNeedDrain) response.emit('drain');
  }

  private pass(name: ResponseMethod, parameters: unknown[]): unknown {
    this.record.add(name, parameters);
    // If the client has disconnected, the response is only stored for its retry.
    const result = this.response.destroyed ? this.response : this.call(name, parameters);
    if (name === 'end') this.end();
    return result;
  }

  private keep(name: ResponseMethod, parameters: unknown[]): unknown {
    this.record.add(name, parameters);
    if (name !== 'end') return name === 'write' ? true : this.response;
    this.end();
    this.answer(this.unknown!.answer, [[name, parameters]]);
    return this.response;
  }

  /** Stores the response, once. */
  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const response = this.record.take();
    if (this.unknown) this.unknown.keep(response);
    else this.grant.keep(response);
  }

  /**
   * Sends this answer instead of the handler's. Removes the headers of the handler's body and keeps the CORS headers.
   */
  private answer(answer: Answer, held: readonly [ResponseMethod, unknown[]][]): void {
    const { response } = this;
    this.state = 'passed';
    if (!response.destroyed) {
      for (const name of response.getHeaderNames())
        if (name !== 'vary' && !name.startsWith('access-control-')) response.removeHeader(name);
      sendAnswer(response, answer);
    }
    this.state = 'dropped';
    for (const [name, parameters] of held) this.drop(name, parameters);
  }

  private drop(name: ResponseMethod, parameters: unknown[]): unknown {
    const done = parameters.find((parameter) => typeof parameter === 'function') as (() => void) | undefined;
    if (done) process.nextTick(done);
    return name === 'write' ? true : this.response;
  }

  /**
   * Handles a response that the handler destroys. After a disconnect of the client, the response is still charged and
   * stored.
   */
  private endWhenDestroyed(): void {
    const { response, grant } = this;
    const { destroy } = response;
    response.destroy = (error) => {
      if (this.state === undefined) grant.release();
      else if (this.state !== 'passed' && this.state !== 'dropped' && !this.hasEnded) void this.abandon();
      return destroy.call(response, error);
    };
  }

  /** The handler has aborted its response, so it cannot be stored. */
  private async abandon(): Promise<void> {
    // Held calls were made earlier and may include the end of the response.
    const charged = await this.grant.settle();
    await Promise.resolve();
    if (this.hasEnded || charged.status === 'failed') return;
    this.hasEnded = true;
    if (charged.status === 'unknown') charged.keep(undefined);
    else this.grant.keep(undefined);
  }

  private call(name: ResponseMethod, parameters: unknown[]): unknown {
    return this.below[name].apply(this.response, parameters);
  }
}
