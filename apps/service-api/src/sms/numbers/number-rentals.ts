import { Inject, Injectable } from '@nestjs/common';
import type {
  AwaitCodeRequest,
  CodeQuery,
  CodeStatus,
  RentNumberRequest,
  VirtualNumber,
} from '@tollbridge/contracts';
import { ProviderError } from '@tollbridge/http';
import { type CallContext, DomainError, type FieldError, isUuid, merchantOf } from '@tollbridge/rpc';
import type { Purchase } from '../../purchases/purchase';
import { Purchases, type PurchaseInput } from '../../purchases/purchases';
import { PurchasesRepository, type PurchaseState } from '../../purchases/purchases.repository';
import { Activations } from './activations';
import { readCountry, type Country } from './countries';
import { AwaitedNumberKind, NumberKind, numberKinds } from './number-kinds';
import { VirtualNumbers, type ActivationState, type NumberTerms } from './virtual-numbers';

/** Rents numbers, and reads their received codes. */
@Injectable()
export class NumberRentals {
  private readonly prices = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly purchases: Purchases,
    private readonly stored: PurchasesRepository,
    private readonly numberKind: NumberKind,
    private readonly awaitedKind: AwaitedNumberKind,
    private readonly activations: Activations,
    @Inject(VirtualNumbers) private readonly numbers: VirtualNumbers,
  ) {}

  async rent({ service, country }: RentNumberRequest, context: CallContext): Promise<VirtualNumber> {
    const wanted = await this.inputFor(
      this.numberKind,
      { service, country: checkedCountry(country) },
      context,
    );
    return numberOf(requireRented(await this.purchases.buy(this.numberKind, wanted, context)));
  }

  /** Rents a number for a client that waits for the code. A repeated call gets the same number. */
  async rentAwaited(request: AwaitCodeRequest, context: CallContext): Promise<Purchase> {
    const { service, timeout: waitSeconds } = request;
    const number = { service, country: checkedCountry(request.country) };
    const { terms, ...rest } = await this.inputFor(this.awaitedKind, number, context);
    // A disconnected client gets no rental.
    if (context.signal?.aborted)
      throw new DomainError('OUTCOME_UNKNOWN', 'The client closed the connection.');
    const wanted = { ...rest, terms: { ...terms, waitSeconds } };
    return requireRented(await this.purchases.buy(this.awaitedKind, wanted, context));
  }

  async codeStatus({ id }: CodeQuery, context: CallContext): Promise<CodeStatus> {
    const purchase = isUuid(id) ? await this.stored.findState(id) : undefined;
    const isOwn =
      purchase?.wallet === merchantOf(context) && numberKinds.some((kind) => kind === purchase.kind);
    if (!purchase || !isOwn || purchase.providerId === null)
      throw new DomainError('NOT_FOUND', 'The rented number does not exist. Check its id.');
    const number = numberOf(purchase);
    if (purchase.status === 'refunded') return { ...number, status: 'STATUS_CANCEL' };
    const state = await this.activations.state(purchase.providerId).catch(throwUpstreamFailure);
    return { ...number, ...shown(state, purchase) };
  }

  /** Returns the purchase input. A repeated call finds its number even when no other number is available. */
  private async inputFor(
    { kind }: Pick<NumberKind, 'kind'>,
    terms: NumberTerms,
    context: CallContext,
  ): Promise<PurchaseInput<NumberTerms>> {
    const before = await this.purchases.findBefore(kind, undefined, context);
    return before ? this.toInput(terms, before.valueUsd!) : this.priced(terms);
  }

  /** Returns the purchase of one number at its current price. */
  async priced(terms: NumberTerms): Promise<PurchaseInput<NumberTerms> & { valueUsd: string }> {
    const valueUsd = await this.price(terms).catch(throwUpstreamFailure);
    if (valueUsd === undefined)
      throw new DomainError(
        'PURCHASE_REFUSED',
        'No number of this country is available for this service at present. Choose another country, or retry later.',
        { details: { reason: 'OUT_OF_STOCK' } },
      );
    return this.toInput(terms, valueUsd);
  }

  /**
   * Reads a price. Concurrent calls for the same kind of number share one request, because providers limit the rate.
   */
  private price(terms: NumberTerms): Promise<string | undefined> {
    const key = `${terms.service} ${terms.country}`;
    const running = this.prices.get(key) ?? this.numbers.price(terms).finally(() => this.prices.delete(key));
    this.prices.set(key, running);
    return running;
  }

  private toInput(terms: NumberTerms, valueUsd: string): PurchaseInput<NumberTerms> & { valueUsd: string } {
    return {
      terms,
      provider: this.numbers.name,
      valueUsd,
      description: `Number for ${terms.service}, country ${terms.country}`,
    };
  }
}

export function validateCountry(given: RentNumberRequest['country'] | undefined): FieldError[] {
  if (given === undefined || readCountry(given)) return [];
  const message = `${given} is not the calling code or the two letters of a country`;
  return [{ field: 'country', message }];
}

/** @throws DomainError VALIDATION_ERROR */
export function checkedCountry(given: RentNumberRequest['country']): Country {
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

export function numberOf({ id, providerId, result }: PurchaseState): VirtualNumber {
  return { id, number: String(result?.['number']), activationId: providerId! };
}

function shown(state: ActivationState, { status }: PurchaseState): Pick<CodeStatus, 'status' | 'code'> {
  if (state.status === 'received') return { status: 'received', code: state.code };
  if (state.status === 'cancelled') return { status: 'STATUS_CANCEL' };
  // A code was received, but the provider does not have it any more.
  return status === 'completed' ? { status: 'received' } : { status: 'STATUS_WAIT_CODE' };
}

/** Converts the failure of a read. */
function throwUpstreamFailure(error: unknown): never {
  throw error instanceof ProviderError
    ? new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error })
    : error;
}
