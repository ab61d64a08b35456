// x402 version 2, scheme `exact` on an EVM chain: a signed USDC transfer (EIP-3009) that the issuer settles. Pure
// functions, except for the signing.
import { type Fields, UnreadableReply, readFields } from '@tollbridge/http';
import { getAddress, isAddress, keccak256, toUtf8Bytes, type Wallet } from 'ethers';
import { textOf } from '../issuer-failures';

/** The only accepted payment: USDC on Base. */
export const usdcOnBase = {
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  decimals: 6,
} as const;

const atomicPerCent = 10_000n;
// An unused signature must expire soon.
const longestValidSeconds = 120;
// Tolerates clock skew.
const backdatedSeconds = 60;

export interface PaymentWish {
  amountAtomic: bigint;
  payTo: string;
  validSeconds: number;
  domain: { name: string; version: string };
  /** The offer as received. The payment repeats it unchanged. */
  accepted: Fields;
}

export const atomicOf = (cents: number): bigint => BigInt(cents) * atomicPerCent;

/**
 * Selects the acceptable offer of a 402 reply.
 * @throws UnreadableReply when none has exactly this price
 */
export function readOffer(header: string | null, amountAtomic: bigint): PaymentWish {
  const { x402Version, accepts } = readHeader(header);
  if (x402Version !== 2 || !Array.isArray(accepts))
    throw new UnreadableReply('payment-required is not of x402 version 2');
  const offers = accepts.map((each) => readFields(each, 'an offer'));
  const offer = offers.find((each) => isUsdcOnBase(each) && each['amount'] === String(amountAtomic));
  if (!offer) throw new UnreadableReply('payment-required offers no payment of this price in USDC on Base');
  const payTo = textOf(offer, 'payTo', /^0x[0-9a-fA-F]{40}$/);
  if (!isAddress(payTo)) throw new UnreadableReply('payTo is not an address');
  const extra = readFields(offer['extra'], 'extra');
  const seconds = Number(textOf(offer, 'maxTimeoutSeconds', /^[1-9][0-9]{0,5}$/));
  return {
    amountAtomic,
    payTo: getAddress(payTo),
    validSeconds: Math.min(seconds, longestValidSeconds),
    domain: {
      name: textOf(extra, 'name', /^[ -~]{1,64}$/),
      version: textOf(extra, 'version', /^[ -~]{1,16}$/),
    },
    accepted: offer,
  };
}

function isUsdcOnBase({ scheme, network, asset }: Fields): boolean {
  return (
    scheme === 'exact' &&
    network === usdcOnBase.network &&
    typeof asset === 'string' &&
    asset.toLowerCase() === usdcOnBase.asset.toLowerCase()
  );
}

/** The error code of a rejected payment; undefined when the reply has none. */
export function declinedPayment(header: string | null): string | undefined {
  try {
    const { error } = readHeader(header);
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

function readHeader(header: string | null): Fields {
  if (header === null) throw new UnreadableReply('payment-required is missing');
  try {
    return readFields(JSON.parse(Buffer.from(header, 'base64').toString('utf8')), 'payment-required');
  } catch (error) {
    if (error instanceof UnreadableReply) throw error;
    throw new UnreadableReply('payment-required is not JSON');
  }
}

export const transferTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

/** Derives the nonce from the purchase. The token accepts each nonce once, so a purchase is paid once. */
export const nonceOf = (reference: string): string => keccak256(toUtf8Bytes(`tollbridge card ${reference}`));

/** Returns the value of the header `PAYMENT-SIGNATURE`. */
export async function signPayment(
  wallet: Wallet,
  wish: PaymentWish,
  { nonce, nowMs }: { nonce: string; nowMs: number },
): Promise<string> {
  const nowSeconds = Math.floor(nowMs / 1_000);
  const authorization = {
    from: wallet.address,
    to: wish.payTo,
    value: String(wish.amountAtomic),
    validAfter: String(nowSeconds - backdatedSeconds),
    validBefore: String(nowSeconds + wish.validSeconds),
    nonce,
  };
  const domain = { ...wish.domain, chainId: usdcOnBase.chainId, verifyingContract: usdcOnBase.asset };
  const signature = await wallet.signTypedData(domain, transferTypes, authorization);
  const payment = { x402Version: 2, accepted: wish.accepted, payload: { signature, authorization } };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}
