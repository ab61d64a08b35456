import {
  readAccount,
  readAmount,
  readNetwork,
  schemeName,
  usdt,
  type Asset,
  type Network,
} from '@tollbridge/nanopay-protocol';

/** The fields of an offer that a payment needs. Unknown fields are ignored. */
export interface OfferToPay {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo?: string;
  to?: string;
  maxTimeoutSeconds: number;
  extra?: Record<string, unknown> | null | undefined;
}

/** The offer is invalid and cannot be paid. Nothing has been signed. */
export class UnpayableOfferError extends Error {
  override readonly name = 'UnpayableOfferError';
}

/** A parsed offer: seller, amount, asset and deployment. */
export interface Payable {
  network: Network;
  verifyingContract: string;
  asset: string;
  to: string;
  amountAtomic: bigint;
  maxTimeoutS: number;
}

/**
 * @param assets the accepted assets, found by their symbols
 * @throws UnpayableOfferError if the offer is invalid
 */
export function payableOf(offer: OfferToPay, assets: readonly Asset[] = [usdt]): Payable {
  const network = readNetwork(offer.network);
  if (offer.scheme !== schemeName || !network)
    throw new UnpayableOfferError('The offer is of another scheme.');
  const isTestnet = network.globalId === -3;
  const payTo = offer.payTo ?? offer.to;
  const contract = offer.extra?.verifyingContract;
  const read = {
    verifyingContract: typeof contract === 'string' ? readAccount(contract, isTestnet) : undefined,
    asset: masterOf(offer, assets) ?? readAccount(offer.asset, isTestnet),
    to: typeof payTo === 'string' ? readAccount(payTo, isTestnet) : undefined,
    amountAtomic: typeof offer.amount === 'string' ? readAmount(offer.amount) : undefined,
  };
  for (const [name, value] of Object.entries(read)) {
    if (value === undefined) throw new UnpayableOfferError(`The offer has no valid ${name}.`);
  }
  const { maxTimeoutSeconds } = offer;
  const isTime = Number.isFinite(maxTimeoutSeconds) && maxTimeoutSeconds >= 1;
  if (!isTime) throw new UnpayableOfferError('The offer has no valid maxTimeoutSeconds.');
  const maxTimeoutS = Math.min(Math.floor(maxTimeoutSeconds), maxLifeWantedS);
  return { ...(read as Required<Readable<typeof read>>), network, maxTimeoutS };
}

/**
 * Returns the jetton master. A deployment may specify another master for a symbol. A false master causes no loss: the
 * signature is valid for this deployment only, and its ledger has one asset.
 */
function masterOf({ asset, extra }: OfferToPay, assets: readonly Asset[]): string | undefined {
  const known = assets.find(({ symbol }) => symbol === asset);
  const named = typeof extra?.asset === 'string' ? readAccount(extra.asset, true) : undefined;
  return known && (named ?? known.master);
}

type Readable<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Upper limit of a payment's validity. A payment is for one request, so no buyer needs more. */
const maxLifeWantedS = 120;
