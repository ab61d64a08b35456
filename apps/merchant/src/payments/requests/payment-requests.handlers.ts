import { Controller, Inject } from '@nestjs/common';
import {
  paymentRequestsApi,
  type CancelPaymentRequest,
  type CreatePaymentRequest,
  type PaymentRequestQuery,
  type PaymentRequestReply,
  type PaymentRequestsQuery,
  type PaymentRequestsReply,
  type SetReceiveAddressRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  cursorOf,
  DomainError,
  type FieldError,
  Handles,
  merchantOf,
  readCursor,
  readPage,
  uuidOf,
  Validates,
} from '@tollbridge/rpc';
import { amountError, receiverAddress, type Chain } from '@tollbridge/chains';
import { isAmountText } from '@tollbridge/money';
import { Clock, storeReply } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { randomUUID } from 'node:crypto';
import type { MerchantConfig } from '../../config';
import { webAddressError } from '../../web-address';
import { ChainNodes } from '../../chains/chain-nodes';
import { MerchantDefaults } from '../../settings/merchant-defaults';
import { closedBecause, periodOf, requestStatus, type PaymentRequest } from '../payment';
import type { PayAmount } from '../payments.repository';
import { Conversions, priceErrors } from '@tollbridge/rates';
import { fromTokenOf, type FromToken } from '../options/payment-options';
import { PaymentRequestsRepository } from './payment-requests.repository';
import { requestView } from '../payment-view';
import { publishPaymentsOf } from '../publish-payments';
import { RequestReceivers } from './request-receivers';

// An old link must not accept payments years later.
const maxLifetimeMs = 366 * 24 * 60 * 60_000;

/** Operations of merchants on their payment requests. */
@Controller()
@Handles(paymentRequestsApi)
export class PaymentRequestsHandlers {
  constructor(
    private readonly requests: PaymentRequestsRepository,
    private readonly receivers: RequestReceivers,
    private readonly chains: ChainNodes,
    private readonly defaults: MerchantDefaults,
    private readonly conversions: Conversions,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig)
    private readonly config: Pick<MerchantConfig, 'GATEWAY_PUBLIC_URL' | 'environment'>,
  ) {}

  async createPaymentRequest(
    given: CreatePaymentRequest,
    context: CallContext,
  ): Promise<PaymentRequestReply> {
    const nowMs = this.clock.now();
    const wallet = merchantOf(context);
    const { chain, token } = await this.defaults.placeOf(
      wallet,
      { chain: given.chain, token: given.currency },
      { chain: 'chain', token: 'currency' },
    );
    const { amount, conversion } = await this.amountOf(given, wallet, { chain, token });
    const receiveAddress =
      given.receive_address === undefined
        ? ((await this.defaults.findReceiver(wallet, chain)) ?? null)
        : receiverOn(chain, given.receive_address);
    const request: PaymentRequest = {
      // A random id instead of a time-ordered one, because any holder of the id may see and pay the request.
      id: randomUUID(),
      paylinkId: null,
      wallet,
      amount,
      conversion,
      currency: token.symbol,
      chain: chain.id,
      description: given.description ?? '',
      metadata: given.metadata ?? null,
      receiveAddress,
      successUrl: given.success_url ?? null,
      cancelUrl: given.cancel_url ?? null,
      expiresAtMs: given.expires_at === undefined ? null : Date.parse(given.expires_at),
      canceledAtMs: null,
      seenPayments: 0,
      completedPayments: 0,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    const reply = this.view(request);
    await this.requests.insert(request, (client) => storeReply(client, context, reply));
    return reply;
  }

  @Validates(paymentRequestsApi.operations.createPaymentRequest)
  validateCreatePaymentRequest(given: Partial<CreatePaymentRequest>): FieldError[] {
    const {
      chain: chainName = '',
      amount,
      currency,
      receive_address,
      expires_at,
      success_url,
      cancel_url,
    } = given;
    const chain = this.chains.find(chainName);
    const place = currency === undefined ? undefined : fromTokenOf(this.chains, chainName, currency);
    const errors: [field: string, message: string | undefined][] = [
      ['chain', chain || given.chain === undefined ? undefined : 'must be a chain of GET /api/v1/pay/chains'],
      [
        'amount',
        place && isAmountText(amount) ? amountError(place.chain, place.token, BigInt(amount)) : undefined,
      ],
      ['expires_at', expires_at === undefined ? undefined : this.expiryError(expires_at)],
      ['success_url', success_url && webAddressError(success_url, this.config.environment)],
      ['cancel_url', cancel_url && webAddressError(cancel_url, this.config.environment)],
    ];
    errors.push(...priceErrors(given, 'amount'));
    if (chain && currency !== undefined && !place)
      errors.push(['currency', `must be a token of ${chain.name}; GET /api/v1/pay/chains lists the tokens`]);
    if (chain && receive_address !== undefined) {
      const receiver = receiverAddress(chain, receive_address);
      if (!receiver.ok) errors.push(['receive_address', receiver.reason]);
    }
    return errors.flatMap(([field, message]) => (message ? [{ field, message }] : []));
  }

  async getPaymentRequest({ id }: PaymentRequestQuery, context: CallContext): Promise<PaymentRequestReply> {
    const uuid = uuidOf(id);
    const request = uuid === undefined ? undefined : await this.requests.find(uuid);
    if (request?.wallet !== merchantOf(context)) throw noSuchRequest();
    const [resolved] = await this.receivers.resolve([request]);
    return this.view(resolved!);
  }

  async listPaymentRequests(
    { status, limit: wanted, cursor, ...period }: PaymentRequestsQuery,
    context: CallContext,
  ): Promise<PaymentRequestsReply> {
    const nowMs = this.clock.now();
    const filter = { wallet: merchantOf(context), status, ...periodOf(period) };
    const before = readCursor(cursor);
    const { page, limit, next } = await readPage(
      wanted!,
      (most) => this.requests.list(filter, { nowMs, limit: most, before }),
      ({ createdAtMs: atMs, id }) => cursorOf({ atMs, id }),
    );
    const resolved = await this.receivers.resolve(page);
    const views = resolved.map((request) => requestView(request, this.config.GATEWAY_PUBLIC_URL, nowMs));
    return { payment_requests: views, limit, next_cursor: next };
  }

  async setReceiveAddress(
    { id, receive_address: given }: SetReceiveAddressRequest,
    context: CallContext,
  ): Promise<PaymentRequestReply> {
    const uuid = uuidOf(id);
    const request = uuid === undefined ? undefined : await this.requests.find(uuid);
    if (request?.wallet !== merchantOf(context)) throw noSuchRequest();
    const address = receiverOn(this.chains.find(request.chain)!, given);
    let reply: PaymentRequestReply | undefined;
    await this.requests.fixReceiver(request.id, address, this.clock.now(), async (client, after) => {
      if (after.receiveAddress !== address)
        throw new DomainError(
          'CONFLICT',
          `The request is paid to ${after.receiveAddress}. Create another request for another address.`,
        );
      await storeReply(client, context, (reply = this.view(after)));
    });
    return reply!;
  }

  async cancelPaymentRequest(
    { id }: CancelPaymentRequest,
    context: CallContext,
  ): Promise<PaymentRequestReply> {
    const uuid = uuidOf(id);
    if (uuid === undefined) throw noSuchRequest();
    const nowMs = this.clock.now();
    const own = { id: uuid, wallet: merchantOf(context) };
    let reply: PaymentRequestReply | undefined;
    await this.requests.cancel(own, nowMs, {
      decide: (request) => {
        if (!request) throw noSuchRequest();
        const status = requestStatus(request, nowMs);
        if (status === 'processing')
          throw new DomainError(
            'CONFLICT',
            'A payment of this request is being processed, so it cannot be cancelled.',
          );
        if (status === 'completed' || status === 'expired')
          throw new DomainError('CONFLICT', closedBecause(status));
        return status === 'pending';
      },
      also: async (client, after, isCanceled) => {
        if (isCanceled) await publishPaymentsOf(client, uuid, context);
        await storeReply(client, context, (reply = this.view(after)));
      },
    });
    return reply!;
  }

  private async amountOf(
    { amount: given, price }: CreatePaymentRequest,
    wallet: string,
    place: FromToken,
  ): Promise<PayAmount> {
    if (price) return this.conversions.convert(price, place, await this.defaults.priceSpreadBps(wallet));
    const amount = BigInt(given!);
    const tooMuch = amountError(place.chain, place.token, amount);
    if (tooMuch) throw DomainError.invalid([{ field: 'amount', message: tooMuch }]);
    return { amount, conversion: null };
  }

  private view(request: PaymentRequest): PaymentRequestReply {
    return requestView(request, this.config.GATEWAY_PUBLIC_URL, this.clock.now());
  }

  private expiryError(text: string): string | undefined {
    const remainingMs = Date.parse(text) - this.clock.now();
    return remainingMs > 0 && remainingMs <= maxLifetimeMs
      ? undefined
      : 'must be in the future, at most one year ahead';
  }
}

/** Validates the receiver after the chain is known, since the chain may be a default of the settings. */
function receiverOn(chain: Chain, given: string): string {
  const receiver = receiverAddress(chain, given);
  if (!receiver.ok) throw DomainError.invalid([{ field: 'receive_address', message: receiver.reason }]);
  return receiver.address;
}

const noSuchRequest = () => new DomainError('NOT_FOUND', 'The payment request does not exist. Check its id.');
