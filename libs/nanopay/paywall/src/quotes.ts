import {
  maxAmountAtomic,
  offersOf,
  readAccount,
  readAmount,
  resourceHash,
  type Deployment,
  type Price,
} from '@tollbridge/nanopay-protocol';
import type { LRUCache } from 'lru-cache';
import type { Quote } from './answers';
import { channelPrice, type ChannelPrice } from './channels/channel-sales';
import type { Channels } from './channels/channels';
import { dollarsToAtomic } from './dollar-price';
import { extensionsOf, requireDeclarable } from './extensions/declared-extensions';
import type { Stablecoin } from './official/known-assets';
import { amountOf, isOfVouchers, offerOf, toWays, type Way } from './official/offers';
import type { VoucherOptions } from './official/vouchers/voucher-options';
import type { Amount, PaidOptions, PaidRequest } from './paid-options';
import type { OfficialKind, OfficialRequirements } from './x402/official-types';

export interface PricedQuote extends Quote {
  /** The price as a nano-payment; undefined if nano-payments are not accepted. */
  nano: NanoPrice | undefined;
  official: readonly OfficialRequirements[];
  /** The channels on offer; undefined without an offer. */
  channels: Channels | undefined;
  offerVersion: number | undefined;
  /** The payment kinds that the facilitator supported when the quote was made. */
  kinds: Loaded['kinds'];
}

export interface NanoPrice extends Price {
  amountText: string;
  /** The price for payments by channels. */
  channelPrice: ChannelPrice;
}

/** The values that the routes of a paywall share. */
export interface QuoteSurroundings {
  baseUrl: string;
  advertiseQuery: boolean;
  to: string | undefined;
  ways: readonly Way[];
  /** Options of the payment methods by `batch-settlement`. */
  vouchers: VoucherOptions | undefined;
  /** Decimals of the asset of nano-payments. */
  nanoDecimals: number;
  /** Whether the first offer has the form of the specification. */
  specificationForm: boolean;
  quotes: LRUCache<string, PricedQuote>;
  /** Returns undefined if channels are not sold, while they are loading, and after their log has failed. */
  channels: () => Channels | undefined;
}

/** The loaded descriptions of the gateway and the facilitator. */
export interface Loaded {
  deployment: Deployment | undefined;
  kinds: readonly OfficialKind[] | undefined;
}

interface RoutePrice {
  /** Distinguishes prices in the cache. */
  text: string;
  amountAtomic: bigint;
  dollars: string | undefined;
}

const defaultTimeoutS = 60;
let routes = 0;

/** The quotes of one route. Everything that does not depend on a payment is computed once per method and URL. */
export class RouteQuotes {
  /** The payment methods besides nano-payments. */
  readonly ways: readonly Way[];
  private readonly key = `${routes++} `;
  private last: { key: string; quote: PricedQuote } | undefined;
  private readonly fixed: RoutePrice | undefined;
  private readonly to: string | undefined;

  /** @throws TypeError for an invalid configuration, so that the seller's program fails at the start */
  constructor(
    private readonly options: PaidOptions,
    private readonly around: QuoteSurroundings,
  ) {
    const { amount, price, accepts, bindBody, extensions } = options;
    if (extensions) requireDeclarable(extensions);
    if ((amount === undefined) === (price === undefined))
      throw new TypeError('Missing price. Set either `price` or `amount`.');
    // Other payment methods are excluded because `amount` is in units of the nano asset, and official schemes do not
    // sign bodies.
    const ways = price === undefined || bindBody ? [] : accepts ? toWays(accepts) : around.ways;
    if (!around.vouchers && ways.some(isOfVouchers))
      throw new TypeError('Missing signer for claims of `batch-settlement`. Set `vouchers` of the paywall.');
    this.ways = ways;
    this.to = options.to ?? around.to;
    if (this.to === undefined && ways.length === 0)
      throw new TypeError('Missing recipient. Set `to` for the route or for the paywall.');
    if (this.to !== undefined && readAccount(this.to, true) === undefined)
      throw new TypeError(`${this.to} is not an account of TON.`);
    const isFixed = typeof amount !== 'function' && typeof price !== 'function';
    this.fixed = isFixed ? this.priceOf(amount, price) : undefined;
  }

  /** Whether nano-payments are accepted. */
  get sellsNano(): boolean {
    return this.to !== undefined;
  }

  quoteOf(request: PaidRequest, loaded: Loaded): PricedQuote {
    const url = this.urlOf(request);
    const price = this.fixed ?? this.askedPrice(request);
    // A quote without the facilitator's answer contains fewer offers.
    const isPartial = this.ways.length > 0 && !loaded.kinds;
    const key = `${this.key}${request.method} ${url}${this.fixed ? '' : ` ${price.text}`}${isPartial ? ' -' : ''}`;
    const channels = this.sellsNano ? this.around.channels() : undefined;
    if (this.last?.key === key && isOf(this.last.quote, channels, loaded)) return this.last.quote;
    let quote = this.around.quotes.get(key);
    if (!quote || !isOf(quote, channels, loaded)) {
      quote = this.makeQuote(request.method, url, price, loaded, channels);
      this.around.quotes.set(key, quote);
    }
    this.last = { key, quote };
    return quote;
  }

  /** The URL to advertise for a request. */
  urlOf = ({ url }: Pick<PaidRequest, 'url'>): string => this.advertised(url);

  assetOf(offer: OfficialRequirements): Stablecoin | undefined {
    return this.ways.find(({ network, asset }) => network === offer.network && asset.address === offer.asset)
      ?.asset;
  }

  private askedPrice(request: PaidRequest): RoutePrice {
    const { amount, price } = this.options;
    return this.priceOf(
      typeof amount === 'function' ? amount(request) : amount,
      typeof price === 'function' ? price(request) : price,
    );
  }

  private priceOf(amount: Amount | undefined, dollars: string | undefined): RoutePrice {
    if (dollars === undefined) {
      const amountAtomic = amountAtomicOf(amount!);
      return { text: amountAtomic.toString(), amountAtomic, dollars };
    }
    for (const way of this.ways) amountOf(way, dollars);
    const inNano = this.sellsNano ? dollarsToAtomic(dollars, this.around.nanoDecimals) : 1n;
    return { text: dollars, amountAtomic: amountAtomicOf(inNano), dollars };
  }

  private makeQuote(
    method: string,
    url: string,
    price: RoutePrice,
    { deployment, kinds }: Loaded,
    channels: Channels | undefined,
  ): PricedQuote {
    const { description, mimeType, maxTimeoutS = defaultTimeoutS } = this.options;
    const resource = {
      url,
      ...(description === undefined ? {} : { description }),
      ...(mimeType === undefined ? {} : { mimeType }),
    };
    const terms = { price: price.dollars ?? '', maxTimeoutS, method };
    const official = this.ways.flatMap((way) => offerOf(way, terms, kinds ?? [], this.around.vouchers) ?? []);
    const nano = deployment && this.nanoPrice(method, url, price.amountAtomic, deployment);
    const nanoOffers = nano ? this.nanoOffers(method, nano, deployment, channels) : [];
    const accepts = [...nanoOffers.slice(this.around.specificationForm ? 0 : 1), ...official];
    if (accepts.length === 0 && kinds)
      throw new TypeError('The facilitator supports no way to pay that this route accepts.');
    const { offerVersion } = channels ?? {};
    const extensions = extensionsOf(this.options.extensions, method);
    return { resource, accepts, extensions, nano, official, channels, offerVersion, kinds };
  }

  private nanoOffers(
    method: string,
    { to, amountAtomic, maxTimeoutS }: NanoPrice,
    deployment: Deployment,
    channels: Channels | undefined,
  ) {
    const { bindBody = false } = this.options;
    // A link does not cover the body.
    const channel = bindBody ? undefined : channels?.offerFor(amountAtomic);
    const offer = { to, amountAtomic, maxTimeoutS, bindBody, method, ...(channel && { channel }) };
    return offersOf(offer, deployment);
  }

  private nanoPrice(method: string, url: string, amountAtomic: bigint, deployment: Deployment): NanoPrice {
    const { maxTimeoutS = defaultTimeoutS } = this.options;
    const to = readAccount(this.to!, deployment.network.globalId === -3);
    if (to === undefined)
      throw new TypeError('Invalid recipient `to`: the account is for test networks only.');
    return {
      to,
      amountAtomic,
      amountText: amountAtomic.toString(),
      resourceHash: resourceHash(method, url),
      url,
      maxTimeoutS,
      channelPrice: channelPrice(to, amountAtomic, method, url),
    };
  }

  /** The URL is never derived from the Host header, because a client could then choose the URL that the buyer signs. */
  private advertised(received: string): string {
    if (this.options.url !== undefined) return this.options.url;
    // A proxy may send an absolute URL. Only its path and query are used.
    const path = received.startsWith('/') ? received : received.replace(/^[a-z]+:\/\/[^/?]*/i, '');
    const query = path.indexOf('?');
    const shown = query >= 0 && !this.around.advertiseQuery ? path.slice(0, query) : path;
    return this.around.baseUrl + shown;
  }
}

const isOf = (quote: PricedQuote, channels: Channels | undefined, { kinds }: Loaded): boolean =>
  quote.channels === channels && quote.offerVersion === channels?.offerVersion && quote.kinds === kinds;

function amountAtomicOf(amount: Amount): bigint {
  const amountAtomic = typeof amount === 'bigint' ? amount : readAmount(amount);
  if (amountAtomic === undefined || amountAtomic < 1n || amountAtomic > maxAmountAtomic)
    throw new TypeError(
      `Invalid price ${amount}: expected a whole number above zero, in the asset's smallest unit.`,
    );
  return amountAtomic;
}
