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
  isUuid,
  merchantOf,
  ServerStopping,
  Validates,
} from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { formatUnits, parseUnits } from '@tollbridge/money';
import type { Purchase } from '../purchases/purchase';
import { Purchases } from '../purchases/purchases';
import { PurchasesRepository } from '../purchases/purchases.repository';
import { WaitingCalls } from '../waiting/waiting-calls';
import { Activations } from './numbers/activations';
import { awaitCode, type Awaited } from './numbers/await-code';
import { CodeArrivals } from './numbers/code-arrivals';
import { readCountry, type Country } from './numbers/countries';
import { AwaitedNumberKind, NumberKind, numberKinds } from './numbers/number-kinds';
import { NumberReturns } from './numbers/number-returns';
import { VirtualNumbers, type ActivationState, type NumberWish } from './numbers/virtual-numbers';
import { MessageKind } from './send/message-kind';
import { MessageTerms } from './send/message-terms';
import { validateRecipient } from './send/recipient';
import { segmentsOf } from './send/segments';
import type { SmsConfig } from './settings';

const usdDigits = 6;

@Controller()
@Handles(smsApi)
export class SmsHandlers {
  constructor(
    private readonly purchases: Purchases,
    private readonly stored: PurchasesRepository,
    private readonly numberKind: NumberKind,
    private readonly awaitedKind: AwaitedNumberKind,
    private readonly messageKind: MessageKind,
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

  async rentNumber({ service, country }: RentNumberRequest, context: CallContext): Promise<VirtualNumber> {
    const wish = await this.priced({ service, country: checkedCountry(country) });
    return numberOf(requireRented(await this.purchases.buy(this.numberKind, wish, context)));
  }

  async codeStatus({ id }: CodeQuery, context: CallContext): Promise<CodeStatus> {
    const purchase = isUuid(id) ? await this.stored.find(id) : undefined;
    const isOwn =
      purchase?.wallet === merchantOf(context) && numberKinds.some((kind) => kind === purchase.kind);
    if (!purchase || !isOwn || purchase.providerId === null)
      throw new DomainError('NOT_FOUND', 'The rented number does not exist. Check its id.');
    const number = numberOf(purchase);
    if (purchase.status === 'refunded') return { ...number, status: 'STATUS_CANCEL' };
    const state = await this.activations.state(purchase.providerId).catch(throwUpstreamFailure);
    return { ...number, ...shown(state, purchase) };
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
      const { terms, ...rest } = await this.priced({ service, country });
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
  validateSendSms({ to }: Partial<SendSmsRequest>): FieldError[] {
    const countries = this.config.SMS_SEND_COUNTRIES;
    const message =
      to === undefined
        ? undefined
        : validateRecipient(to, countries === 'all' ? countries : countries.split(','));
    return message === undefined ? [] : [{ field: 'to', message }];
  }

  async sendSms({ to, body }: SendSmsRequest, context: CallContext): Promise<SentSms> {
    const segments = segmentsOf(body);
    const terms = new MessageTerms(to, body, this.config.TWILIO_AUTH_TOKEN);
    const perSegment = parseUnits(this.config.SMS_SEND_MAX_SEGMENT_USD, usdDigits);
    const valueUsd = formatUnits(perSegment * BigInt(segments), usdDigits);
    const description = `Text message, ${segments} ${segments === 1 ? 'segment' : 'segments'}`;
    const wish = { terms, provider: this.messageKind.provider, valueUsd, description };
    const { providerId, result } = await this.purchases.buy(this.messageKind, wish, context);
    return { sid: providerId!, status: String(result?.['status']), segments };
  }

  private async priced(terms: NumberWish) {
    const valueUsd = await this.numbers.price(terms).catch(throwUpstreamFailure);
    if (valueUsd === undefined)
      throw new DomainError(
        'PURCHASE_REFUSED',
        'No number of this country is available for this service at present. Choose another country, or retry later.',
        { details: { reason: 'OUT_OF_STOCK' } },
      );
    return {
      terms,
      provider: this.numbers.name,
      valueUsd,
      description: `Number for ${terms.service}, country ${terms.country}`,
    };
  }
}

function validateCountry(given: RentNumberRequest['country'] | undefined): FieldError[] {
  if (given === undefined || readCountry(given)) return [];
  const message = `${given} is not the calling code or the two letters of a country`;
  return [{ field: 'country', message }];
}

/** `@Validates` has validated the country before. */
function checkedCountry(given: RentNumberRequest['country']): Country {
  const country = readCountry(given);
  if (!country) throw DomainError.invalid(validateCountry(given));
  return country;
}

/** @throws DomainError for a refunded purchase that never received a number */
function requireRented(purchase: Purchase): Purchase {
  if (purchase.providerId !== null) return purchase;
  throw new DomainError(
    'PURCHASE_REFUSED',
    'No number was rented, and nothing was charged. Request another one.',
    {
      details: { reason: 'REFUNDED' },
    },
  );
}

function numberOf({ id, providerId, result }: Purchase): VirtualNumber {
  return { id, number: String(result?.['number']), activationId: providerId! };
}

function shown(state: ActivationState, { status }: Purchase): Pick<CodeStatus, 'status' | 'code'> {
  if (state.status === 'received') return { status: 'received', code: state.code };
  if (state.status === 'cancelled') return { status: 'STATUS_CANCEL' };
  // A code was received, and the provider no longer has it.
  return status === 'completed' ? { status: 'received' } : { status: 'STATUS_WAIT_CODE' };
}

/** Converts the failure of a read. */
function throwUpstreamFailure(error: unknown): never {
  throw error instanceof ProviderError
    ? new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error })
    : error;
}
