import { randomBytes } from 'node:crypto';
import {
  mainnet,
  maxGrantLifeS,
  maxSkewS,
  readAccount,
  readAmount,
  sessionGrantDigest,
  signingKey,
  testnet,
  usdt,
  w5Account,
  type Network,
  type WalletDialog,
} from '@tollbridge/nanopay';
import { seedBytes, UnpayableOfferError, type PaymentSigner } from './payer';

/** What a wallet has signed in a dialog (`signData` of TON Connect, type `binary`). */
export interface DialogSignature {
  signature: Uint8Array;
  domain: string;
  /** Unix seconds, as the wallet answers it. */
  timestamp: number;
}

/** The wallet that lets an agent pay. It signs once, raw or in a dialog, and is not needed again. */
export interface GrantingWallet extends Omit<PaymentSigner, 'sign' | 'grant'> {
  /** These 32 bytes. */
  sign(digest: Uint8Array): Uint8Array | DialogSignature | Promise<Uint8Array | DialogSignature>;
}

export interface SessionGrantOptions {
  /** Of the agent: 32 bytes, or 64 hexadecimal digits. */
  sessionPublicKey: Uint8Array | string;
  /** Of the deployment that is paid through. */
  verifyingContract: string;
  network?: Network['name'];
  /** Master of the jetton; by default USDT's. */
  asset?: string;
  /** Who may be paid; anybody if it is absent. */
  to?: string;
  /** In the smallest unit of the asset. */
  maxPerPayment: bigint | string;
  maxTotal: bigint | string;
  /** From now on; at most 366 days. */
  validForS: number;
  /** Unix milliseconds. */
  nowMs?: number;
}

/** Member `session` of an authorization; a type, so that it is a record too. */
export type SessionMember = {
  publicKey: string;
  to?: string;
  maxPerPayment: string;
  maxTotal: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
  signature: string;
  signatureKind: 'raw' | 'tonconnect';
  domain?: string;
  timestamp?: string;
};

/** What an agent needs beside his own key. It is JSON, and no secret: without the key nobody can use it. */
export interface SessionGrant {
  network: Network['name'];
  verifyingContract: string;
  asset: string;
  /** The wallet that pays. */
  from: string;
  walletPublicKey: string;
  stateInit?: string;
  session: SessionMember;
}

/** Has a wallet sign that the key of an agent may pay from it: how much at once, how much in all, whom, and until when. */
export async function createSessionGrant(
  wallet: GrantingWallet,
  options: SessionGrantOptions,
): Promise<SessionGrant> {
  const network = options.network === 'ton-testnet' ? testnet : mainnet;
  const account = accountReader(network);
  const verifyingContract = account(options.verifyingContract, 'verifyingContract');
  const asset = account(options.asset ?? usdt.master, 'asset');
  const from =
    wallet.address === undefined ? w5Account(wallet.publicKey, network) : account(wallet.address, 'address');
  const terms = termsOf(options, account);
  const digest = sessionGrantDigest({ networkId: network.globalId, verifyingContract, asset, from }, terms);
  const signed = await wallet.sign(digest);
  return {
    ...{ network: network.name, verifyingContract, asset, from },
    walletPublicKey: Buffer.from(wallet.publicKey).toString('hex'),
    ...(wallet.stateInit !== undefined && { stateInit: wallet.stateInit }),
    session: memberOf(terms, signed),
  };
}

type GrantTerms = Parameters<typeof sessionGrantDigest>[1];

function termsOf(options: SessionGrantOptions, account: ReturnType<typeof accountReader>): GrantTerms {
  const { sessionPublicKey: key, to, maxPerPayment, maxTotal, validForS, nowMs = Date.now() } = options;
  const publicKey = typeof key === 'string' ? Buffer.from(key, 'hex') : Buffer.from(key);
  if (publicKey.length !== 32) throw new TypeError('sessionPublicKey has 32 bytes.');
  const validAfterS = Math.floor(nowMs / 1_000) - maxSkewS;
  if (!Number.isSafeInteger(validForS) || validForS < 1 || validForS + maxSkewS > maxGrantLifeS)
    throw new TypeError(`validForS is from 1 to ${maxGrantLifeS - maxSkewS}.`);
  return {
    publicKey,
    to: to === undefined ? undefined : account(to, 'to'),
    maxPerPaymentAtomic: amountOf(maxPerPayment, 'maxPerPayment'),
    maxTotalAtomic: amountOf(maxTotal, 'maxTotal'),
    validAfterS: BigInt(validAfterS),
    validBeforeS: BigInt(validAfterS + maxSkewS + validForS),
    nonce: randomBytes(32),
  };
}

function memberOf(terms: GrantTerms, signed: Uint8Array | DialogSignature): SessionMember {
  const dialog: (WalletDialog & { signature: Uint8Array }) | undefined =
    signed instanceof Uint8Array ? undefined : { ...signed, timestampS: signed.timestamp };
  const signature = dialog ? dialog.signature : (signed as Uint8Array);
  return {
    publicKey: terms.publicKey.toString('hex'),
    ...(terms.to !== undefined && { to: terms.to }),
    ...{ maxPerPayment: terms.maxPerPaymentAtomic.toString(), maxTotal: terms.maxTotalAtomic.toString() },
    ...{ validAfter: terms.validAfterS.toString(), validBefore: terms.validBeforeS.toString() },
    nonce: terms.nonce.toString('hex'),
    signature: Buffer.from(signature).toString('base64'),
    ...(dialog
      ? { signatureKind: 'tonconnect', domain: dialog.domain, timestamp: String(dialog.timestampS) }
      : { signatureKind: 'raw' }),
  };
}

/**
 * The signer of an agent, for `createBuyer` and `TonNanopayClient`. He signs nothing that his grant does not allow; how much
 * of its total is left, only the enclave knows.
 * @param seed of the agent's own key: 32 bytes, or 64 hexadecimal digits
 */
export function sessionSigner(grant: SessionGrant, seed: Uint8Array | string): PaymentSigner {
  const key = signingKey(seedBytes(seed));
  if (key.publicKey.toString('hex') !== grant.session.publicKey)
    throw new TypeError('The grant is for another key.');
  return {
    publicKey: Buffer.from(grant.walletPublicKey, 'hex'),
    address: grant.from,
    ...(grant.stateInit !== undefined && { stateInit: grant.stateInit }),
    grant,
    sign: (digest) => key.sign(digest),
  };
}

function accountReader(network: Network): (text: string, name: string) => string {
  return (text, name) => {
    const account = readAccount(text, network.globalId === -3);
    if (account === undefined) throw new TypeError(`${name} is no account of this network.`);
    return account;
  };
}

function amountOf(amount: bigint | string, name: string): bigint {
  const read = readAmount(amount.toString());
  if (read === undefined) throw new TypeError(`${name} is a whole number above 0, in the smallest unit.`);
  return read;
}

/** What a grant must say of a payment, so that it makes sense to sign it. */
export function requireGranted(
  { network, verifyingContract, asset, session }: SessionGrant,
  payment: { network: Network; verifyingContract: string; asset: string; to: string; amountAtomic: bigint },
  nowMs: number,
): void {
  const refuse = (what: string): never => {
    throw new UnpayableOfferError(`The session grant is ${what}.`);
  };
  if (network !== payment.network.name || verifyingContract !== payment.verifyingContract)
    refuse('for another deployment');
  if (asset !== payment.asset) refuse('for another asset');
  if (session.to !== undefined && session.to !== payment.to) refuse('for another seller');
  if (payment.amountAtomic > BigInt(session.maxPerPayment)) refuse('for smaller payments');
  if (nowMs >= Number(session.validBefore) * 1_000) refuse('over');
}
