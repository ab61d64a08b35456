import {
  maxHeaderBytes,
  readAccount,
  schemeName,
  type Asset,
  type Network,
  type PaymentRequired,
} from '@tollbridge/nanopay-protocol';
import { payableOf, UnpayableOfferError, type OfferToPay, type Payable } from '../payable';

/** Restricts the payments of a buyer. An absent list allows everything. */
export interface Allowed {
  /** Contracts of the gateways that the buyer trusts with a deposit. */
  contracts?: readonly string[];
  /** Addresses of jetton masters. */
  assets?: readonly string[];
  /** Hosts of requests, with their ports, for example `api.example.com`. */
  hosts?: readonly string[];
  /** Accounts of sellers. */
  sellers?: readonly string[];
}

export interface ChosenOffer {
  offer: OfferToPay;
  payable: Payable;
  document: PaymentRequired;
}

/** Parses the offers of a 402. Returns undefined without an offer of this scheme. */
export function readRequired(header: string | null): PaymentRequired | undefined {
  if (header === null || header.length > maxHeaderBytes * 2) return undefined;
  try {
    const document = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PaymentRequired;
    const isOurs =
      document.x402Version === 2 &&
      typeof document.resource?.url === 'string' &&
      Array.isArray(document.accepts);
    return isOurs && document.accepts.some((offer) => offer?.scheme === schemeName) ? document : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the first offer that may be paid.
 * @throws UnpayableOfferError with the reason of the first offer that may not be paid
 */
export function chooseOffer(
  document: PaymentRequired,
  { allow, network, assets }: { allow: Allowed; network: Network; assets: readonly Asset[] },
): ChosenOffer {
  let reason: unknown;
  for (const offer of document.accepts as unknown as OfferToPay[]) {
    if (offer?.scheme !== schemeName) continue;
    try {
      const payable = payableOf(offer, assets);
      if (payable.network !== network) throw new UnpayableOfferError('The offer is on another network.');
      checkAllowed(payable, allow);
      return { offer, payable, document };
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
}

function checkAllowed({ verifyingContract, asset, to }: Payable, allow: Allowed): void {
  if (isMissing(allow.contracts, verifyingContract))
    throw new UnpayableOfferError('The offer is for a deployment that is not accepted.');
  if (isMissing(allow.assets, asset))
    throw new UnpayableOfferError('The offer is in an asset that is not accepted.');
  if (isMissing(allow.sellers, to))
    throw new UnpayableOfferError('The offer is from a seller that is not accepted.');
}

const isMissing = (list: readonly string[] | undefined, account: string): boolean =>
  list !== undefined && !list.some((allowed) => readAccount(allowed, true) === account);

/** Rejects an offer for another URL, because its payment could pay for another client's request. */
export function checkResource(advertised: string, asked: string): void {
  const [offered, wanted] = [new URL(advertised), new URL(asked)];
  // Some sellers advertise a path without its query.
  const isSame =
    offered.origin === wanted.origin &&
    offered.pathname === wanted.pathname &&
    (offered.search === '' || offered.search === wanted.search);
  if (!isSame) throw new UnpayableOfferError('The offer is for another URL than the request.');
}
