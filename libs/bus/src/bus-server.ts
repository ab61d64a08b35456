import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { Msg, Subscription } from 'nats';
import type { BusConnection } from './bus-connection';
import { logFields, type CallContext } from './call-context';
import { DomainError } from './domain-error';
import type { BoundHandler, Outcome } from './handlers';
import { decodeContext, failureHeaders, failureOf } from './wire';

export interface BusServerHooks {
  /** Called once for every answered request. */
  onAnswered?(subject: string, code: string, seconds: number): void;
  /** Called for failures that are our fault, with the cause that the caller does not see. */
  onFault?(fields: { requestId: string; traceId: string }, subject: string, cause: unknown): void;
}

// More than a database pool can serve in a call's time-out would only queue up here; the caller is told at once.
const maxInFlight = 2_000;
const drainTimeoutMs = 15_000;

/**
 * The Nest transport: answers an app's operations from one queue subscription (`op.<app>.>`), so that replicas share
 * the work, and finishes what it has begun before it closes.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private subscription: Subscription | undefined;
  private inFlight = 0;
  private whenIdle: (() => void) | undefined;

  constructor(
    private readonly bus: BusConnection,
    private readonly hooks: BusServerHooks = {},
  ) {
    super();
  }

  listen(callback: () => void): void {
    const { app, nats } = this.bus;
    const take = (error: Error | null, message: Msg) => error === null && this.accept(message);
    this.subscription = nats.subscribe(`op.${app}.>`, { queue: app, callback: take });
    callback();
  }

  async close(): Promise<void> {
    // Drain stops new messages and delivers those that the server has already sent here.
    await this.subscription?.drain().catch(() => undefined);
    if (this.inFlight > 0) await this.untilIdle();
    if (this.bus.isConnected) await this.bus.nats.flush();
  }

  on(): never {
    throw new Error('the bus transport has no events of its own');
  }

  unwrap<T>(): T {
    return this.bus.nats as T;
  }

  private untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, drainTimeoutMs);
      this.whenIdle = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  private accept(message: Msg): void {
    if (this.inFlight >= maxInFlight) {
      this.respond(message, {
        ok: false,
        error: new DomainError('SERVICE_UNAVAILABLE', 'The service is busy; try again shortly.'),
      });
      return;
    }
    this.inFlight++;
    void this.answer(message).finally(() => {
      this.inFlight--;
      if (this.inFlight === 0) this.whenIdle?.();
    });
  }

  private async answer(message: Msg): Promise<void> {
    const startedMs = performance.now();
    const context = decodeContext(message);
    const outcome = await this.run(message, context);
    this.respond(message, outcome);
    const code = outcome.ok ? 'OK' : outcome.error.code;
    if (code === 'INTERNAL_ERROR' && !outcome.ok)
      this.hooks.onFault?.(logFields(context), message.subject, outcome.error);
    this.hooks.onAnswered?.(message.subject, code, (performance.now() - startedMs) / 1000);
  }

  private async run(message: Msg, context: CallContext): Promise<Outcome> {
    const handler = this.messageHandlers.get(message.subject) as unknown as BoundHandler | undefined;
    if (!handler) return { ok: false, error: new DomainError('SERVICE_UNAVAILABLE') };
    try {
      return await handler({ json: message.data, context });
    } catch (cause) {
      return { ok: false, error: new DomainError('INTERNAL_ERROR', undefined, { cause }) };
    }
  }

  private respond(message: Msg, outcome: Outcome): void {
    if (!message.reply || this.bus.nats.isClosed()) return;
    if (outcome.ok) this.bus.publish(message.reply, Buffer.from(JSON.stringify(outcome.output)));
    else {
      const json = Buffer.from(JSON.stringify(failureOf(outcome.error)));
      this.bus.publish(message.reply, json, { headers: failureHeaders(outcome.error.code) });
    }
  }
}
