import { Controller, Inject } from '@nestjs/common';
import {
  smsApi,
  type AwaitCodeRequest,
  type AwaitedCode,
  type CodeQuery,
  type CodeStatus,
  type RentNumberRequest,
  type SendSmsRequest,
  type SentSms,
  type VirtualNumber,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  ServerStopping,
  Validates,
} from '@tollbridge/rpc';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { Purchase } from '../purchases/purchase';
import { Purchases } from '../purchases/purchases';
import { WaitingCalls } from '../waiting/waiting-calls';
import { Activations } from './numbers/activations';
import { awaitCode, type Awaited } from './numbers/await-code';
import { CodeArrivals } from './numbers/code-arrivals';
import { AwaitedNumberKind } from './numbers/number-kinds';
import {
  checkedCountry,
  numberOf,
  NumberRentals,
  requireRented,
  validateCountry,
} from './numbers/number-rentals';
import { NumberReturns } from './numbers/number-returns';
import { VirtualNumbers } from './numbers/virtual-numbers';
import { MessageSending } from './send/message-sending';
import type { SmsConfig } from './settings';

@Controller()
@Handles(smsApi)
export class SmsHandlers {
  constructor(
    private readonly purchases: Purchases,
    private readonly rentals: NumberRentals,
    private readonly messages: MessageSending,
    private readonly awaitedKind: AwaitedNumberKind,
    private readonly activations: Activations,
    private readonly arrivals: CodeArrivals,
    private readonly returns: NumberReturns,
    private readonly waiting: WaitingCalls,
    @Inject(VirtualNumbers) private readonly numbers: VirtualNumbers,
    @Inject(ServiceConfig) private readonly config: SmsConfig,
  ) {}

  @Validates(smsApi.operations.rentNumber)
  validateRentNumber({ country }: Partial<RentNumberRequest>): FieldError[] {
    return validateCountry(country);
  }

  rentNumber(request: RentNumberRequest, context: CallContext): Promise<VirtualNumber> {
    return this.rentals.rent(request, context);
  }

  codeStatus(query: CodeQuery, context: CallContext): Promise<CodeStatus> {
    return this.rentals.codeStatus(query, context);
  }

  @Validates(smsApi.operations.awaitCode)
  validateAwaitCode({ country }: Partial<AwaitCodeRequest>): FieldError[] {
    return validateCountry(country);
  }

  async awaitCode(request: AwaitCodeRequest, context: CallContext): Promise<AwaitedCode> {
    const { service, timeout: waitSeconds } = request;
    const country = checkedCountry(request.country);
    const startedMs = performance.now();
    // The call gets its place before a number is rented.
    return this.waiting.during(context, waitSeconds * 1_000, async (signal) => {
      const { terms, ...rest } = await this.rentals.priced({ service, country });
      // No rental for a disconnected client.
      if (context.signal?.aborted)
        throw new DomainError('OUTCOME_UNKNOWN', 'The client closed the connection.');
      const wish = { ...rest, terms: { ...terms, waitSeconds } };
      const purchase = requireRented(await this.purchases.buy(this.awaitedKind, wish, context));
      // A repeated call after the number was returned.
      if (purchase.status === 'refunded') return { ...numberOf(purchase), code: null, timeout: true };
      const activationId = purchase.providerId!;
      // A repeated call waits for its whole time.
      await this.returns.postpone(purchase, waitSeconds);
      const awaited = await awaitCode(this.activations, activationId, {
        untilMs: startedMs + waitSeconds * 1_000,
        pollEveryMs: this.config.SMS_NUMBERS_LOOK_MS,
        signal,
        arrivals: this.arrivals,
      });
      if (awaited.status === 'nothing' && context.signal?.reason instanceof ServerStopping)
        throw await this.stopped(purchase, context);
      return this.ended(purchase, awaited, context);
    });
  }

  /** A repeated call continues with the same number in another process; without an Idempotency-Key none can. */
  private async stopped(purchase: Purchase, context: CallContext): Promise<DomainError> {
    if (!context.claim) await this.returns.abandon(purchase, context);
    return new DomainError(
      'OUTCOME_UNKNOWN',
      'The service stopped while the call waited for a code. Repeat the call with the same Idempotency-Key to wait on for the same number.',
    );
  }

  /** A code may arrive at the last moment: the return reports it. */
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

  @Validates(smsApi.operations.sendSms)
  validateSendSms(request: Partial<SendSmsRequest>): FieldError[] {
    return this.messages.validate(request);
  }

  sendSms(request: SendSmsRequest, context: CallContext): Promise<SentSms> {
    return this.messages.send(request, context);
  }
}
