import {
  mainnet,
  maxGrantLifeS,
  maxSkewS,
  readAccount,
  readAmount,
  testnet,
  usdt,
  w5Account,
  type Network,
} from '@tollbridge/nanopay-protocol';
import { UnpayableOfferError, type Payable } from './payable';

// Shared code for both kinds of grants: sessions and hash chains.

/** A signature from a wallet dialog (`signData` of TON Connect, type `binary`). */
export interface DialogSignature {
  signature: Uint8Array;
  domain: string;
  /** Unix seconds, from the wallet. */
  timestamp: number;
}

/** The wallet that pays. */
export interface PayingWallet {
  /** 32 bytes. */
  publicKey: Uint8Array;
  /** Raw or friendly form. By default the W5 wallet of the key. */
  address?: string;
  /** The state-init of a wallet other than W5, in base64, for its first payment. */
  stateInit?: string;
}

/** A wallet that signs a grant once, raw or in a dialog. Later payments do not need it. */
export interface GrantingWallet extends PayingWallet {
  /** Signs these 32 bytes. */
  sign(digest: Uint8Array): Uint8Array | DialogSignature | Promise<Uint8Array | DialogSignature>;
}

export interface GrantOptions {
  /** The contract of the deployment. */
  verifyingContract: string;
  network?: Network['name'];
  /** Address of the jetton master. By default that of USDT. */
  asset?: string;
  /** Validity from now on, at most 366 days. */
  validForS: number;
  /** Unix milliseconds. */
  nowMs?: number;
}

/** The wallet and deployment of a grant, in JSON form. */
export interface GrantScope {
  network: Network['name'];
  verifyingContract: string;
  asset: string;
  /** The wallet that pays. */
  from: string;
  walletPublicKey: string;
  stateInit?: string;
}

/** JSON form of a signature. */
export type SignatureMember = {
  signature: string;
  signatureKind: 'raw' | 'tonconnect';
  domain?: string;
  timestamp?: string;
};

export type AccountReader = (text: string, name: string) => string;

export const networkOf = ({ network }: Pick<GrantOptions, 'network'>): Network =>
  network === 'ton-testnet' ? testnet : mainnet;

/**
 * Returns a parser for accounts of this network. The parser throws a `TypeError` that contains the name of the field.
 */
export function accountReader(network: Network): AccountReader {
  return (text, name) => {
    const account = readAccount(text, network.globalId === -3);
    if (account === undefined) throw new TypeError(`${name} is not an account of this network.`);
    return account;
  };
}

export function grantScope(wallet: GrantingWallet, options: GrantOptions): GrantScope {
  const network = networkOf(options);
  const account = accountReader(network);
  const { publicKey, address, stateInit } = wallet;
  return {
    network: network.name,
    verifyingContract: account(options.verifyingContract, 'verifyingContract'),
    asset: account(options.asset ?? usdt.master, 'asset'),
    from: address === undefined ? w5Account(publicKey, network) : account(address, 'address'),
    walletPublicKey: Buffer.from(publicKey).toString('hex'),
    ...(stateInit !== undefined && { stateInit }),
  };
}

/**
 * Returns the validity period of a grant. It starts a little in the past, because the clock of the ledger service may
 * lag.
 */
export function grantWindow({ validForS, nowMs = Date.now() }: GrantOptions): {
  validAfterS: bigint;
  validBeforeS: bigint;
} {
  const validAfterS = Math.floor(nowMs / 1_000) - maxSkewS;
  if (!Number.isSafeInteger(validForS) || validForS < 1 || validForS + maxSkewS > maxGrantLifeS)
    throw new TypeError(`validForS must be from 1 to ${maxGrantLifeS - maxSkewS}.`);
  return {
    validAfterS: BigInt(validAfterS),
    validBeforeS: BigInt(validAfterS + maxSkewS + validForS),
  };
}

export function amountOf(amount: bigint | string, name: string): bigint {
  const read = readAmount(amount.toString());
  if (read === undefined)
    throw new TypeError(`${name} must be a whole number above 0, in the smallest unit.`);
  return read;
}

export function signatureMember(signed: Uint8Array | DialogSignature): SignatureMember {
  if (signed instanceof Uint8Array)
    return { signature: Buffer.from(signed).toString('base64'), signatureKind: 'raw' };
  const { signature, domain, timestamp } = signed;
  return {
    signature: Buffer.from(signature).toString('base64'),
    signatureKind: 'tonconnect',
    domain,
    timestamp: String(timestamp),
  };
}

export function unpayable(grant: string, what: string): never {
  throw new UnpayableOfferError(`The ${grant} is ${what}.`);
}

/** @throws UnpayableOfferError if the grant does not cover this payment */
export function requireScope(
  name: string,
  { network, verifyingContract, asset }: GrantScope,
  payment: Payable,
  { to, validBeforeS, nowMs }: { to: string | undefined; validBeforeS: string; nowMs: number },
): void {
  if (network !== payment.network.name || verifyingContract !== payment.verifyingContract)
    unpayable(name, 'for another deployment');
  if (asset !== payment.asset) unpayable(name, 'for another asset');
  if (to !== undefined && to !== payment.to) unpayable(name, 'for another seller');
  if (nowMs >= Number(validBeforeS) * 1_000) unpayable(name, 'over');
}
