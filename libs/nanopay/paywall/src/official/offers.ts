import { dollarsToAtomic } from '../dollar-price';
import type { OfficialKind, OfficialNetwork, OfficialRequirements } from '../x402/official-types';
import { canonicalAddress, isAddressOf } from './addresses';
import { knownUsdc, type Stablecoin } from './known-assets';
import { voucherExtra, type VoucherOptions } from './vouchers/voucher-options';

/** A payment method by an official scheme of x402. */
export interface AcceptedWay {
  /**
   * `exact` charges the price, and `upto` charges at most the price. `batch-settlement` accepts vouchers over a
   * deposit. The last two require an EVM chain.
   */
  scheme: 'exact' | 'upto' | 'batch-settlement';
  /** CAIP-2, for example `eip155:8453` or `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`. */
  network: string;
  /** The seller's address on this network. */
  payTo: string;
  /** By default USDC, if its address on the network is known. */
  asset?: Stablecoin;
  /** On EVM chains: `eip3009` (default) or `permit2`. `upto` is always `permit2`. */
  assetTransferMethod?: 'eip3009' | 'permit2';
}

/** A validated payment method. Only its amount depends on the price. */
export interface Way {
  scheme: AcceptedWay['scheme'];
  network: OfficialNetwork;
  payTo: string;
  asset: Stablecoin;
  extra: Record<string, unknown>;
}

/** The maximum number of payment methods that fit into the header of the 402. */
export const maxWays = 8;
const evmSchemes: readonly string[] = ['upto', 'batch-settlement'];
const evmNetwork = /^eip155:[1-9][0-9]{0,15}$/;
// The largest amounts of a transfer, in the smallest unit.
const [mostOnSolana, mostOnEvm] = [2n ** 64n - 1n, 2n ** 256n - 1n];
const solanaNetwork = /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/;

/** @throws TypeError for a payment method that no buyer could use */
export function toWays(accepted: readonly AcceptedWay[]): Way[] {
  if (accepted.length > maxWays) throw new TypeError(`At most ${maxWays} ways to pay are accepted.`);
  return accepted.map(toWay);
}

function toWay({
  scheme,
  network,
  payTo,
  asset = knownUsdc(network),
  assetTransferMethod,
}: AcceptedWay): Way {
  const isEvm = evmNetwork.test(network);
  if (!isEvm && !solanaNetwork.test(network))
    throw new TypeError(`${network} is not a network of EVM or Solana.`);
  if (scheme !== 'exact' && !(isEvm && evmSchemes.includes(scheme)))
    throw new TypeError(`The scheme ${String(scheme)} is not accepted on ${network}.`);
  if (!asset) throw new TypeError(`Missing asset for ${network}. Set \`asset\`.`);
  const { address, decimals } = asset;
  if (!isAddressOf(network, payTo)) throw new TypeError(`payTo ${payTo} is not an address of ${network}.`);
  if (!isAddressOf(network, address))
    throw new TypeError(`The asset ${address} is not an address of ${network}.`);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 30)
    throw new TypeError(`The asset ${address} has no decimals that can be read.`);
  const isPermit2 = scheme === 'upto' || assetTransferMethod === 'permit2';
  const extra = isEvm ? evmExtra(asset, isPermit2) : {};
  return { scheme, network: network as OfficialNetwork, payTo, asset, extra };
}

function evmExtra({ name, version, address }: Stablecoin, isPermit2: boolean): Record<string, unknown> {
  const domain = name === undefined || version === undefined ? undefined : { name, version };
  if (!isPermit2 && !domain)
    throw new TypeError(`EIP-3009 signs the EIP-712 name and version of the asset ${address}: set both.`);
  return { ...domain, ...(isPermit2 ? { assetTransferMethod: 'permit2' } : {}) };
}

export interface OfferTerms {
  /** A price in dollars, for example `$0.001`. */
  price: string;
  maxTimeoutS: number;
  method: string;
}

/** @throws TypeError for a price that is inexact in the asset, zero, or above the largest transfer of the network */
export function amountOf({ asset, network }: Way, price: string): string {
  const amount = dollarsToAtomic(price, asset.decimals);
  if (amount < 1n) throw new TypeError(`Invalid price ${price}: it is zero.`);
  const most = solanaNetwork.test(network) ? mostOnSolana : mostOnEvm;
  if (amount > most)
    throw new TypeError(`${price} is more than a transfer on ${network} carries: at most ${most}.`);
  return amount.toString();
}

/**
 * Returns the offer of a payment method in the form of its scheme. Returns undefined if the facilitator does not
 * support the method.
 */
export function offerOf(
  way: Way,
  { price, maxTimeoutS, method }: OfferTerms,
  kinds: readonly OfficialKind[],
  vouchers?: VoucherOptions,
): OfficialRequirements | undefined {
  const { scheme, network, payTo, asset } = way;
  const kind = kinds.find((supported) => supported.scheme === scheme && supported.network === network);
  const amount = amountOf(way, price);
  const ofScheme =
    kind && (isOfVouchers(way) ? vouchers && voucherExtra(vouchers, amount) : facilitatorExtra(way, kind));
  if (!ofScheme) return undefined;
  // Official schemes do not sign the resource. Clients return the offer unchanged, so this reveals a payment for
  // another method.
  const ofMethod = method === 'GET' ? {} : { method };
  return {
    scheme,
    network,
    amount,
    asset: asset.address,
    payTo,
    maxTimeoutSeconds: maxTimeoutS,
    extra: { ...way.extra, ...ofScheme, ...ofMethod },
  };
}

export const isOfVouchers = ({ scheme }: { scheme: string }): boolean => scheme === 'batch-settlement';

/** Returns the facilitator's fields that buyers sign, or undefined if the facilitator does not announce them. */
function facilitatorExtra(
  { scheme, network }: Way,
  { extra }: OfficialKind,
): Record<string, string> | undefined {
  const name = network.startsWith('solana:')
    ? 'feePayer'
    : scheme === 'upto'
      ? 'facilitatorAddress'
      : undefined;
  if (name === undefined) return {};
  const value = extra?.[name];
  return typeof value === 'string' && isAddressOf(network, value) ? { [name]: value } : undefined;
}

/** Returns the name of the first field that differs in an accepted offer, or undefined for the same offer. */
export function differenceOf(
  offer: OfficialRequirements,
  accepted: Record<string, unknown>,
): string | undefined {
  const { network } = offer;
  const isSame = (name: 'asset' | 'payTo') =>
    typeof accepted[name] === 'string' &&
    canonicalAddress(network, accepted[name]) === canonicalAddress(network, offer[name]);
  for (const name of ['scheme', 'network', 'amount', 'maxTimeoutSeconds'] as const)
    if (accepted[name] !== offer[name]) return name;
  for (const name of ['asset', 'payTo'] as const) if (!isSame(name)) return name;
  const extra = (accepted.extra ?? {}) as Record<string, unknown>;
  // An absent method means GET.
  for (const name of new Set([...Object.keys(offer.extra), 'assetTransferMethod', 'method']))
    if (extra[name] !== offer.extra[name]) return `extra.${name}`;
  return undefined;
}
