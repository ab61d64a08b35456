import {
  channelHash,
  digestOf,
  flags,
  maxSkewS,
  paymentBytes,
  resourceHash,
  type PaymentTerms,
  type PresentedChannel,
} from '@tollbridge/nanopay-protocol';
import { signatureMember, type SignatureMember } from './granting';
import type { ChainMember } from './hash-chain';
import type { Payable } from './payable';
import { payerAddress, type PaymentSigner } from './payment-signer';
import { requireGranted, type SessionMember } from './session';

export interface BoundRequest {
  method: string;
  /** The advertised URL. */
  url: string;
  /** Only set if the seller binds bodies. */
  body?: Uint8Array | undefined;
}

/** Member `payload` of the payment header. It is a type, because an interface is not assignable to a record. */
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
    channel?: ChannelMember;
  };
};

/** Member `channel` of an authorization. It is a type, because an interface is not assignable to a record. */
export type ChannelMember = {
  unit: string;
  length: string;
  anchor: string;
  end: string;
  index: string;
  link: string;
  owner: string;
};

export interface SignedPayment {
  payload: SignedPayload;
  /** Digest of the payment, which identifies it. */
  digest: Buffer;
  /** Index of the paying link, for a payment by a hash chain. */
  chainIndex?: number;
}

const noResource = Buffer.alloc(32);

/** Signs one payment with a new nonce, or reveals the next link of a chain. */
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
  const authorization = { ...authorizationOf(signer, terms), ...(step && { chain: step.member }) };
  return { payload: { authorization, ...proof }, digest, ...(step && { chainIndex: step.index }) };
}

/**
 * Signs a payment that opens a channel, and reveals its first link.
 * @param payable its amount is the reservation
 */
export async function signOpening(
  signer: PaymentSigner,
  payable: Payable,
  channel: PresentedChannel,
  { nonce, nowMs }: { nonce: Buffer; nowMs: number },
): Promise<SignedPayment> {
  const { grant } = signer;
  if (grant) requireGranted(grant, payable, nowMs);
  const bits = flags.channel | flags.upTo | (grant ? flags.session : 0);
  const terms = {
    ...termsOf(payable, payerAddress(signer, payable.network), nowMs),
    nonce,
    flags: bits,
    resourceHash: channelHash(channel),
  };
  const digest = digestOf(paymentBytes(terms));
  const authorization = {
    ...authorizationOf(signer, terms),
    channel: {
      unit: channel.unitAtomic.toString(),
      length: channel.length.toString(),
      anchor: channel.anchor.toString('hex'),
      end: channel.endS.toString(),
      index: channel.index.toString(),
      link: channel.link.toString('hex'),
      owner: channel.owner,
    },
  };
  return { payload: { authorization, ...signatureMember(await signer.sign(digest)) }, digest };
}

function authorizationOf(signer: PaymentSigner, terms: PaymentTerms): SignedPayload['authorization'] {
  return {
    from: terms.from,
    to: terms.to,
    amount: terms.amountAtomic.toString(),
    asset: terms.asset,
    nonce: terms.nonce.toString('hex'),
    flags: terms.flags,
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
    publicKey: Buffer.from(signer.publicKey).toString('hex'),
    ...(signer.stateInit === undefined ? {} : { stateInit: signer.stateInit }),
    ...(signer.grant && { session: signer.grant.session }),
  };
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
    // Allows for a slow clock of the seller.
    validAfterS: nowS - BigInt(maxSkewS),
    validBeforeS: nowS + BigInt(maxTimeoutS),
  };
}
