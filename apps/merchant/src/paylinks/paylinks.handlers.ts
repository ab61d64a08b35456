import { Controller, Inject } from '@nestjs/common';
import {
  paylinksApi,
  type CreatePayLinkRequest,
  type DecidePaymentRequest,
  type PayLink as PayLinkView,
  type PayLinkCheckout,
  type PayLinkCheckoutRequest,
  type PayLinkDeleted,
  type PayLinkPayment,
  type PayLinkPaymentsQuery,
  type PayLinkRequest,
  type PayLinksQuery,
  type PublicPayLink,
  type RecordPaymentReply,
  type RecordPaymentRequest,
  type TogglePayLinkRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  invalidCursor,
  isUuid,
  merchantOf,
  pageWithNext,
  readPage,
  uuidOf,
  Validates,
} from '@tollbridge/rpc';
import { canonicalTxHash, findChain, isTxHash, txHashShape } from '@tollbridge/chains';
import { Clock, storeReply } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { v4 as randomUuid, v5 as uuidOfName, v7 as uuid } from 'uuid';
import { ChainNodes } from '../chains/chain-nodes';
import { MerchantDefaults } from '../settings/merchant-defaults';
import { SettingsRepository } from '../settings/settings.repository';
import type { MerchantConfig } from '../config';
import { fromTokenOf } from '../payments/options/payment-options';
import { lockRequest, PaymentRequestsRepository } from '../payments/requests/payment-requests.repository';
import { ReceiversRepository } from '../receivers/receivers.repository';
import { OtherNetworks } from './payments/other-networks';
import { checkoutAmount, checkoutOf } from './link-checkout';
import { isOffered, newPayLink, validatePayLink, type PayLink, type PlacedPayLink } from './paylink';
import { PayLinkPaymentsRepository } from './payments/paylink-payments.repository';
import { paymentViewOf, publicViewOf, rejectedReply, replyOf, viewOf, type LinkFacts } from './paylink-view';
import { PayLinksRepository } from './paylinks.repository';
import { isUndecided, type ChainObservation } from './payments/payment';
import { ReceiverBalances } from './payments/receiver-balances';
import { PaymentSettlement, type Settled } from './payments/payment-settlement';

// The client waits for it. Without an answer in time the payment is pending, and the worker checks it.
const observeTimeoutMs = 4_000;

@Controller()
@Handles(paylinksApi)
export class PayLinksHandlers {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly requests: PaymentRequestsRepository,
    private readonly settlement: PaymentSettlement,
    private readonly receivers: ReceiversRepository,
    private readonly balances: ReceiverBalances,
    private readonly chains: ChainNodes,
    private readonly others: OtherNetworks,
    private readonly defaults: MerchantDefaults,
    private readonly settings: SettingsRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<
      MerchantConfig,
      'environment' | 'GATEWAY_PUBLIC_URL'
    >,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async listPayLinks(query: PayLinksQuery, context: CallContext): Promise<PayLinkView[]> {
    const { active: isActive } = query;
    const filters = { ...positionOf(query), ...(isActive !== undefined && { isActive }) };
    const { page, limit, next } = await readPage(
      query.limit ?? Infinity,
      (most) => this.links.list(merchantOf(context), { ...filters, limit: most }),
      ({ id }) => id,
    );
    return pageWithNext(await this.viewsOf(page), next ?? undefined, limit);
  }

  async createPayLink(request: CreatePayLinkRequest, context: CallContext): Promise<PayLinkView> {
    const nowMs = this.clock.now();
    const wallet = merchantOf(context);
    const placed = await this.placed(request, wallet);
    const link = newPayLink(placed, { id: uuid({ msecs: nowMs }), wallet, nowMs, chains: this.chains });
    const reply = await this.viewOf(link);
    await this.links.insert(link, (client) => storeReply(client, context, reply));
    return reply;
  }

  @Validates(paylinksApi.operations.createPayLink)
  validateCreatePayLink(given: Partial<CreatePayLinkRequest>): FieldError[] {
    const { environment } = this.config;
    return validatePayLink(given, { chains: this.chains, environment, nowMs: this.clock.now() });
  }

  /** The request with its network and token. Validates it again where these are defaults of the settings. */
  private async placed(request: CreatePayLinkRequest, wallet: string): Promise<PlacedPayLink> {
    const { network, token } = request;
    if (network !== undefined && token !== undefined) return { ...request, network, token };
    const names = { chain: 'network', token: 'token' };
    const place = await this.defaults.placeOf(wallet, { chain: network, token }, names);
    const placed = { ...request, network: place.chain.id, token: place.token.symbol };
    const errors = this.validateCreatePayLink(placed);
    if (errors.length > 0) throw DomainError.invalid(errors);
    return placed;
  }

  async togglePayLink(request: TogglePayLinkRequest, context: CallContext): Promise<PayLinkView> {
    const wanted = { id: idOf(request.id), wallet: merchantOf(context), isActive: request.active };
    let reply: PayLinkView | undefined;
    // Read before the transaction, which must not wait for a second connection.
    const facts = await this.factsOf(await this.find(wanted.id));
    await this.links.toggle(wanted, this.clock.now(), (link, client) =>
      storeReply(client, context, (reply = viewOf(link, facts))),
    );
    if (!reply) throw notFound();
    return reply;
  }

  async deletePayLink(request: PayLinkRequest, context: CallContext): Promise<PayLinkDeleted> {
    const wanted = { id: idOf(request.id), wallet: merchantOf(context) };
    if (!(await this.links.delete(wanted, this.clock.now()))) throw notFound();
    return { ok: true };
  }

  async getPublicPayLink({ id }: PayLinkRequest): Promise<PublicPayLink> {
    const link = await this.find(id);
    if (!isOffered(link, this.clock.now())) throw notFound();
    const [{ isReceiverProven }, storefront] = await Promise.all([
      this.factsOf(link),
      this.settings.storefront(link.wallet),
    ]);
    return publicViewOf(link, { isReceiverProven, storefront });
  }

  /** The key makes clicks and reloads of one page start one checkout. */
  async startPayLinkCheckout(given: PayLinkCheckoutRequest, context: CallContext): Promise<PayLinkCheckout> {
    const nowMs = this.clock.now();
    const link = await this.find(given.id);
    if (!isOffered(link, nowMs)) throw notFound();
    const place = fromTokenOf(this.chains, link.chain, link.token);
    const amount = checkoutAmount(link, place, given.amount);
    const { key } = given;
    const id = key === undefined ? randomUuid() : uuidOfName(`${key} ${amount}`, link.id);
    const checkout = checkoutOf(link, { id, amount, nowMs });
    const base = this.config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '');
    let reply: PayLinkCheckout | undefined;
    await this.requests.insert(checkout, async (client) => {
      // An earlier call with the same key has stored it, with an earlier end.
      const { expiresAtMs } = (await lockRequest(client, id))!;
      if (!(await this.links.keep(client, link.id))) throw notFound();
      reply = {
        payment_request_id: id,
        payment_link: `${base}/checkout/${id}`,
        expires_at: new Date(expiresAtMs!).toISOString(),
      };
      await storeReply(client, context, reply);
    });
    return reply!;
  }

  async recordPayLinkPayment(
    request: RecordPaymentRequest,
    context: CallContext,
  ): Promise<RecordPaymentReply> {
    const link = await this.find(request.id);
    const txHash = txHashOf(link.chain, request.txHash);
    const known = await this.payments.find(link.id, txHash);
    if (known && known.status !== 'rejected') return replyOf(known);
    const observation = await this.observe(link, txHash);
    const reported = { linkId: link.id, chain: link.chain, txHash };
    let reply: RecordPaymentReply | undefined;
    await this.settlement.report(reported, observation, context, (settled, client) =>
      storeReply(client, context, (reply = settledReply(settled))),
    );
    if (!reply) throw notFound();
    return reply;
  }

  async listPayLinkPayments(query: PayLinkPaymentsQuery, context: CallContext): Promise<PayLinkPayment[]> {
    const wallet = merchantOf(context);
    const link = await this.find(query.id);
    if (link.wallet !== wallet) throw notFound();
    const position = positionOf(query);
    const { page, limit, next } = await readPage(
      query.limit ?? Infinity,
      (most) => this.payments.list(link.id, { ...position, limit: most }),
      ({ id }) => id,
    );
    const balance = page.some(isUndecided) ? await this.balanceOf(link) : null;
    const views = page.map((payment) => paymentViewOf(payment, balance));
    return pageWithNext(views, next ?? undefined, limit);
  }

  confirmPayLinkPayment(request: DecidePaymentRequest, context: CallContext): Promise<PayLinkPayment> {
    return this.decide(request, true, context);
  }

  rejectPayLinkPayment(request: DecidePaymentRequest, context: CallContext): Promise<PayLinkPayment> {
    return this.decide(request, false, context);
  }

  private async decide(
    { id, paymentId }: DecidePaymentRequest,
    isConfirmed: boolean,
    context: CallContext,
  ): Promise<PayLinkPayment> {
    const wallet = merchantOf(context);
    const link = await this.find(id);
    if (link.wallet !== wallet) throw notFound();
    const payment = await this.payments.findById(link.id, idOf(paymentId));
    if (!payment) throw notFound();
    let reply: PayLinkPayment | undefined;
    await this.settlement.decide(payment, isConfirmed, context, (decided, client) =>
      storeReply(client, context, (reply = paymentViewOf(decided))),
    );
    if (!reply) throw notFound();
    return reply;
  }

  private async viewOf(link: PayLink): Promise<PayLinkView> {
    return viewOf(link, await this.factsOf(link));
  }

  private async factsOf(link: PayLink): Promise<LinkFacts> {
    const [facts] = await this.factsOfAll([link]);
    return facts!;
  }

  private async viewsOf(links: readonly PayLink[]): Promise<PayLinkView[]> {
    const facts = await this.factsOfAll(links);
    return links.map((link, at) => viewOf(link, facts[at]!));
  }

  /** For links of one wallet. */
  private async factsOfAll(links: readonly PayLink[]): Promise<LinkFacts[]> {
    if (links.length === 0) return [];
    const places = links.map(({ chain, receiveAddress: address }) => ({ chain: findChain(chain)!, address }));
    const areProven = await this.receivers.hasProven(links[0]!.wallet, places);
    return links.map(({ chain }, at) => ({
      isVerifiable: this.chains.readerOf(chain) !== undefined,
      isReceiverProven: areProven[at]!,
    }));
  }

  private balanceOf(link: PayLink): Promise<bigint | null> {
    return this.balances.of(this.chains.find(link.chain), link);
  }

  private async find(id: string): Promise<PayLink> {
    const link = await this.links.find(idOf(id));
    if (!link) throw notFound();
    return link;
  }

  /** Never rejects: without an answer of a node, the payment stays unknown. */
  private async observe(link: PayLink, txHash: string): Promise<ChainObservation> {
    const unavailable: ChainObservation = { kind: 'unavailable' };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<ChainObservation>((resolve) => {
      timer = setTimeout(() => resolve(unavailable), observeTimeoutMs);
    });
    const observing = this.read(link, txHash).catch((err: unknown) => {
      this.logger.warn({ chain: link.chain, err }, 'reported payment check failed');
      return unavailable;
    });
    return Promise.race([observing, late]).finally(() => clearTimeout(timer));
  }

  private async read(link: PayLink, txHash: string): Promise<ChainObservation> {
    const { chain, receiveAddress: receiver, tokenAddress: address } = link;
    const reader = this.chains.readerOf(chain);
    const wanted = { txHash, token: { address }, receiver, seenIn: null };
    const [found] = reader ? await reader.readTransfers([wanted]) : [];
    if (reader && found?.kind !== 'unmined') return found ?? { kind: 'unavailable' };
    const elsewhere = await this.others.find({ chain, receiver, txHash });
    return elsewhere ?? found ?? { kind: 'noNode', receiverBalance: await this.balanceOf(link) };
  }
}

const settledReply = (settled: Settled): RecordPaymentReply =>
  'rejection' in settled ? rejectedReply(settled.rejection) : replyOf(settled.payment);

/** The same for links of other wallets, deleted links and unknown ids. */
const notFound = (): DomainError => new DomainError('NOT_FOUND', 'The PayLink does not exist. Check its id.');

function idOf(text: string): string {
  const id = uuidOf(text);
  if (id === undefined) throw notFound();
  return id;
}

/** The position of a page. @throws DomainError for a cursor that is not an id */
function positionOf({ cursor }: { cursor?: string }): { before?: string } {
  if (cursor !== undefined && !isUuid(cursor))
    throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
  return cursor === undefined ? {} : { before: cursor };
}

function txHashOf(chain: string, text: string): string {
  const place = findChain(chain)!;
  const hash = canonicalTxHash(text);
  if (!isTxHash(place, hash))
    throw DomainError.invalid([
      { field: 'txHash', message: `must be a transaction hash: ${txHashShape(place)}` },
    ]);
  return hash;
}
