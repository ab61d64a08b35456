import { readAccount, type RawAccount } from './accounts';
import { isAsset, readNetwork, type Asset, type Network } from './networks';
import type { AcceptedOffer, PresentedPayment } from './payment-header';
import type { Rejection } from './reasons';
import { channelHash } from './channel';
import { flags, type PaymentTerms } from './signed-bytes';
import { w5Account } from './wallet';

export const schemeName = 'ton-nanopay';

/** One installation of the gateway. A payment is valid at only one deployment. */
export interface Deployment {
  network: Network;
  /** The account that holds all deposits. */
  verifyingContract: RawAccount;
  asset: Asset;
  /** Public URL of the gateway, without a trailing slash. */
  teeEndpoint: string;
}

/** The price of one request. */
export interface Price {
  to: RawAccount;
  amountAtomic: bigint;
  /** See `resourceHash`. */
  resourceHash: Buffer;
  /** The advertised URL. */
  url: string;
  maxTimeoutS: number;
}

/** Longest validity of a payment. The ledger stores the nonce of a payment for this long. */
export const maxLifeS = 600;
/** Longest hold of an amount. */
export const maxHoldS = 60;
/** Tolerated difference between clocks. */
export const maxSkewS = 5;
const graceS = 30;

const noResource = Buffer.alloc(32);

/**
 * Returns the terms that the buyer must have signed for this price, or the reason why the payment does not match it.
 */
export function termsFor(
  presented: PresentedPayment,
  price: Price,
  deployment: Deployment,
  nowS: number,
): PaymentTerms | Rejection {
  const { accepted } = presented;
  const difference =
    (accepted && differenceOf(accepted, price, deployment)) ??
    differenceOfTerms(presented, price, deployment) ??
    problemOfWindow(presented, nowS, price.maxTimeoutS);
  if (difference) return difference;
  const from = presented.from ?? w5Account(presented.publicKey!, deployment.network);
  if (from === price.to) return 'invalid_ton_nanopay_recipient_mismatch';
  return {
    flags: presented.flags,
    networkId: deployment.network.globalId,
    verifyingContract: deployment.verifyingContract,
    asset: deployment.asset.master,
    from,
    to: price.to,
    amountAtomic: presented.amountAtomic ?? price.amountAtomic,
    validAfterS: presented.validAfterS,
    validBeforeS: presented.validBeforeS,
    nonce: presented.nonce,
    resourceHash: boundHash(presented, price),
  };
}

/** Returns the hash that the payment is bound to, besides the seller: of a resource, of a channel, or of nothing. */
function boundHash({ flags: bits, channel }: PresentedPayment, price: Price): Buffer {
  if (channel) return channelHash(channel);
  return (bits & flags.resourceBound) !== 0 ? price.resourceHash : noResource;
}

/** Compares the accepted offer, because a difference explains a mistake better than a wrong signature. */
function differenceOf(offer: AcceptedOffer, price: Price, deployment: Deployment): Rejection | undefined {
  if (offer.scheme !== schemeName) return 'unsupported_scheme';
  if (readNetwork(offer.network) !== deployment.network) return 'invalid_network';
  if (!isAsset(offer.asset, deployment.asset)) return 'invalid_ton_nanopay_asset_mismatch';
  if (readAccount(offer.payTo, deployment.network.globalId === -3) !== price.to)
    return 'invalid_ton_nanopay_recipient_mismatch';
  if (
    offer.verifyingContract !== undefined &&
    readAccount(offer.verifyingContract) !== deployment.verifyingContract
  )
    return 'invalid_ton_nanopay_contract_mismatch';
  if (offer.amount !== price.amountAtomic.toString()) return 'invalid_ton_nanopay_amount_mismatch';
  return undefined;
}

function differenceOfTerms(
  presented: PresentedPayment,
  price: Price,
  deployment: Deployment,
): Rejection | undefined {
  const { to, amountAtomic, asset, resourceUrl } = presented;
  if (asset !== undefined && !isAsset(asset, deployment.asset)) return 'invalid_ton_nanopay_asset_mismatch';
  if (to !== undefined && to !== price.to) return 'invalid_ton_nanopay_recipient_mismatch';
  if (amountAtomic !== undefined && !coversPrice(presented, price))
    return 'invalid_ton_nanopay_amount_mismatch';
  if (((presented.flags & flags.channel) !== 0) !== (presented.channel !== undefined))
    return 'invalid_ton_nanopay_channel';
  const isBound = (presented.flags & flags.resourceBound) !== 0;
  if (!isBound) return undefined;
  const isOtherHash =
    presented.resourceHash !== undefined && !presented.resourceHash.equals(price.resourceHash);
  const isOtherUrl = resourceUrl !== undefined && resourceUrl !== price.url;
  return isOtherHash || isOtherUrl ? 'invalid_ton_nanopay_resource_mismatch' : undefined;
}

function coversPrice({ amountAtomic, flags: bits }: PresentedPayment, price: Price): boolean {
  if ((bits & flags.upTo) !== 0) return amountAtomic! >= price.amountAtomic;
  return amountAtomic === price.amountAtomic;
}

/** Returns the reason if the payment is not valid now, or is valid for longer than allowed. */
export function problemOfWindow(
  { validAfterS, validBeforeS }: Pick<PaymentTerms, 'validAfterS' | 'validBeforeS'>,
  nowS: number,
  maxTimeoutS: number = maxLifeS,
): Rejection | undefined {
  const now = BigInt(Math.floor(nowS));
  if (validAfterS > now + BigInt(maxSkewS)) return 'invalid_ton_nanopay_valid_after';
  if (validBeforeS + BigInt(maxSkewS) <= now) return 'invalid_ton_nanopay_valid_before';
  const longest = BigInt(Math.min(maxLifeS, maxTimeoutS + graceS));
  if (validBeforeS <= validAfterS || validBeforeS - validAfterS > longest)
    return 'invalid_ton_nanopay_valid_before';
  return undefined;
}
