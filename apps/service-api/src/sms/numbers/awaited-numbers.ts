import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { AwaitCodeRequest, AwaitedCode } from '@tollbridge/contracts';
import { DomainError, saleIdOf, ServerStopping, type CallContext } from '@tollbridge/rpc';
import type { Purchase } from '../../purchases/purchase';
import type { SmsConfig } from '../settings';
import { Activations } from './activations';
import { awaitCode, type Awaited } from './await-code';
import { CodeArrivals } from './code-arrivals';
import { numberOf } from './number-rentals';
import { NumberReturns } from './number-returns';
import { VirtualNumbers } from './virtual-numbers';

export interface Wait {
  /** Milliseconds of `performance.now()`. */
  untilMs: number;
  /** Aborted when the time is over, the client disconnects, or the service stops. */
  signal: AbortSignal;
}

/** Waits for the code of a rented number, and returns the number when none arrives. */
@Injectable()
export class AwaitedNumbers {
  constructor(
    private readonly activations: Activations,
    private readonly arrivals: CodeArrivals,
    private readonly returns: NumberReturns,
    @Inject(VirtualNumbers) private readonly numbers: VirtualNumbers,
    @Inject(ServiceConfig) private readonly config: SmsConfig,
  ) {}

  async wait(
    purchase: Purchase,
    { timeout: waitSeconds }: Pick<AwaitCodeRequest, 'timeout'>,
    { untilMs, signal }: Wait,
    context: CallContext,
  ): Promise<AwaitedCode> {
    // This call repeats an earlier one, after the number was returned.
    if (purchase.status === 'refunded') return { ...numberOf(purchase), code: null, timeout: true };
    // A repeated call waits for its full time.
    await this.returns.postpone(purchase, waitSeconds);
    const awaited = await awaitCode(this.activations, purchase.providerId!, {
      untilMs,
      pollEveryMs: this.config.SMS_NUMBERS_LOOK_MS,
      signal,
      arrivals: this.arrivals,
    });
    if (awaited.status === 'nothing' && isInterrupted(context))
      throw await this.interrupted(purchase, context);
    return this.ended(purchase, awaited, context);
  }

  /** A repeated call continues with the same number, also in another process. It needs an Idempotency-Key. */
  private async interrupted(purchase: Purchase, context: CallContext): Promise<DomainError> {
    if (!context.claim) await this.returns.abandon(purchase, context);
    return new DomainError(
      'OUTCOME_UNKNOWN',
      'The service stopped while the call waited for a code. Repeat the call with the same Idempotency-Key, or the same payment, to wait on for the same number.',
    );
  }

  /** Handles the end of the wait. If a code arrives at the last moment, the attempt to return the number reports it. */
  private async ended(purchase: Purchase, awaited: Awaited, context: CallContext): Promise<AwaitedCode> {
    const number = numberOf(purchase);
    if (awaited.status === 'received') {
      await this.returns.complete(purchase, context);
      return { ...number, code: awaited.code };
    }
    const cancelled = await this.returns.abandon(purchase, context);
    if (cancelled === 'received') {
      const state = await this.numbers.state(purchase.providerId!).catch(() => undefined);
      if (state?.status === 'received') return { ...number, code: state.code };
    }
    return { ...number, code: null, ...(awaited.status === 'nothing' && { timeout: true }) };
  }
}

/**
 * Whether the wait may continue. A disconnected payer may repeat the payment, so its number is kept until the planned
 * return.
 */
function isInterrupted(context: CallContext): boolean {
  if (context.signal?.reason instanceof ServerStopping) return true;
  return context.signal?.aborted === true && saleIdOf(context) !== undefined;
}
