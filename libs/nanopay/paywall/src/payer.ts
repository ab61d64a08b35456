import {
  digestOf,
  flags,
  maxSkewS,
  mainnet,
  paymentBytes,
  readAccount,
  readAmount,
  readNetwork,
  resourceHash,
  schemeName,
  signingKey,
  usdt,
  w5Account,
  type Asset,
  type Network,
} from '@tollbridge/nanopay-protocol';
import { signatureMember, type SignatureMember } from './granting';
import type { ChainMember, HashChain } from './hash-chain';
import { requireGranted, type SessionGrant, type SessionMember } from './session';

/** Who signs payments. */
export interface PaymentSigner {
  /** Of the wallet, 32 bytes. */
  publicKey: Uint8Array;
  /** Of the wallet, raw or friendly; by default the W5 wallet of the key. */
  address?: string;
  /** The state-init of another wallet than W5 in base64, for its first payment. */
  stateInit?: string;
  /** Where not the wallet signs, but an agent: see `sessionSigner`. */
  grant?: SessionGrant;
  /** Where no payment is signed, but a link revealed: see `hashChainSigner`. */
  chain?: HashChain;
  /** Ed25519 over these 32 bytes. */
  sign(digest: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** What a payment is made of; unknown fields are not looked at. */
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

export interface BoundRequest {
  method: string;
  /** As advertised. */
  url: string;
  /** Only where the seller binds bodies. */
  body?: Uint8Array | undefined;
}

/** The member `payload` of what is sent; a type, so that it is a record too. */
export type SignedPayload = SignatureMember & {
  authorization: {
    from: string;
    to: string;
    amount: string;
    asset: string;
    nonce: string;
    validAfter: string;
    validBefore: string;
    flags: number;
    publicKey: string;
    stateInit?: string;
    session?: SessionMember;
    chain?: ChainMember;
  };
};

export interface SignedPayment {
  payload: SignedPayload;
  /** Of the payment, which names it. */
  digest: Buffer;
  /** Of the link that pays, where it is one. */
  chainIndex?: number;
}

/** An offer that is wrong cannot be paid: nothing has been signed. */
export class UnpayableOfferError extends Error {
  override readonly name = 'UnpayableOfferError';
}

/** @param seed 32 bytes, or 64 hexadecimal digits */
export function signerOfSeed(seed: Uint8Array | string): PaymentSigner {
  return signingKey(seedBytes(seed));
}

export function seedBytes(seed: Uint8Array | string): Uint8Array {
  const bytes = typeof seed === 'string' ? Buffer.from(seed, 'hex') : seed;
  // The value itself is in no message.
  if (bytes.length !== 32) throw new TypeError('The seed has 32 bytes.');
  return bytes;
}

export function payerAddress(signer: PaymentSigner, network: Network = mainnet): string {
  if (signer.address === undefined) return w5Account(signer.publicKey, network);
  const account = readAccount(signer.address, network.globalId === -3);
  if (account === undefined) throw new TypeError(`${signer.address} is no account of this network.`);
  return account;
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
 * @param assets by their symbols: a symbol that is not here means nothing
 * @throws UnpayableOfferError
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
    if (value === undefined) throw new UnpayableOfferError(`The offer has no ${name} that can be read.`);
  }
  const { maxTimeoutSeconds } = offer;
  const isTime = Number.isFinite(maxTimeoutSeconds) && maxTimeoutSeconds >= 1;
  if (!isTime) throw new UnpayableOfferError('The offer has no maxTimeoutSeconds that can be read.');
  const maxTimeoutS = Math.min(Math.floor(maxTimeoutSeconds), maxLifeWantedS);
  return { ...(read as Required<Readable<typeof read>>), network, maxTimeoutS };
}

/**
 * A deployment may name another master for a symbol. A false name loses nothing: the signature is for this deployment
 * alone, and its ledger has one asset.
 */
function masterOf({ asset, extra }: OfferToPay, assets: readonly Asset[]): string | undefined {
  const known = assets.find(({ symbol }) => symbol === asset);
  const named = typeof extra?.asset === 'string' ? readAccount(extra.asset, true) : undefined;
  return known && (named ?? known.master);
}

type Readable<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** A buyer has no use for payments that live longer: they are for one request. */
const maxLifeWantedS = 120;

const noResource = Buffer.alloc(32);

/** Signs one payment, with a nonce of its own, or reveals the next link of a chain. */
export async function signPayment(
  signer: PaymentSigner,
  payable: Payable,
  { method, url, body }: BoundRequest,
  { nonce, nowMs, flags: bits = flags.resourceBound }: { nonce: Buffer; nowMs: number; flags?: number },
): Promise<SignedPayment> {
  const { grant, chain } = signer;
  if (grant) requireGranted(grant, payable, nowMs);
  const step = chain?.next(payable, nowMs);
  const flagBits = step ? flags.hashChain : bits | (grant ? flags.session : 0);
  const isBound = (flagBits & flags.resourceBound) !== 0;
  const terms = {
    ...termsOf(payable, payerAddress(signer, payable.network), nowMs),
    nonce: step?.nonce ?? nonce,
    flags: flagBits,
    resourceHash: isBound ? resourceHash(method, url, body) : noResource,
  };
  const digest = digestOf(paymentBytes(terms));
  const proof = chain?.signature ?? signatureMember(await signer.sign(digest));
  const authorization = {
    from: terms.from,
    to: terms.to,
    amount: terms.amountAtomic.toString(),
    asset: terms.asset,
    nonce: terms.nonce.toString('hex'),
    flags: flagBits,
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
    publicKey: Buffer.from(signer.publicKey).toString('hex'),
    ...(signer.stateInit === undefined ? {} : { stateInit: signer.stateInit }),
    ...(grant && { session: grant.session }),
    ...(step && { chain: step.member }),
  };
  return { payload: { authorization, ...proof }, digest, ...(step && { chainIndex: step.index }) };
}

function termsOf(payable: Payable, from: string, nowMs: number) {
  const { network, verifyingContract, asset, to, amountAtomic, maxTimeoutS } = payable;
  const nowS = BigInt(Math.floor(nowMs / 1_000));
  return {
    networkId: network.globalId,
    verifyingContract,
    asset,
    from,
    to,
    amountAtomic,
    // The seller's clock may be behind.
    validAfterS: nowS - BigInt(maxSkewS),
    validBeforeS: nowS + BigInt(maxTimeoutS),
  };
}
