// Payments of the issuer by x402 version 2: its requirements, and the verification of presented payments. No token is
// transferred, because the sandbox has no USDC at the token's real address.
import { verifyTypedData } from 'ethers';

export const usdc = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  domain: { name: 'USD Coin', version: '2' },
} as const;
const chainId = 8453;
export const payTo = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export interface Payment {
  payer: string;
  nonce: string;
  amountAtomic: bigint;
}

const toBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Returns the value of the header `PAYMENT-REQUIRED`. */
export function paymentRequired(url: string, amountAtomic: bigint, error?: string): string {
  return toBase64({
    x402Version: 2,
    ...(error !== undefined && { error }),
    resource: { url, description: 'Laso Finance', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        amount: String(amountAtomic),
        asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        payTo: 'CKPKJWNdJEqa81x7CkZ14BVPiY6y16Sxs7owznqtWYp5',
        maxTimeoutSeconds: 300,
        extra: {},
      },
      {
        scheme: 'exact',
        network: usdc.network,
        asset: usdc.asset,
        amount: String(amountAtomic),
        payTo,
        maxTimeoutSeconds: 300,
        extra: usdc.domain,
      },
    ],
  });
}

/** Returns the value of the header `PAYMENT-RESPONSE`. */
export function paymentResponse({ payer, nonce }: Payment): string {
  return toBase64({ success: true, transaction: nonce, network: usdc.network, payer });
}

/** Returns the presented payment, or the reason of its rejection. */
export function readPayment(header: string, amountAtomic: bigint, nowMs: number): Payment | string {
  try {
    const { x402Version, accepted, payload } = JSON.parse(Buffer.from(header, 'base64').toString());
    if (x402Version !== 2) return 'invalid_x402_version';
    if (accepted.scheme !== 'exact' || accepted.network !== usdc.network) return 'unsupported_scheme';
    const { signature, authorization } = payload;
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const domain = { ...usdc.domain, chainId, verifyingContract: usdc.asset };
    const message = { from, to, value, validAfter, validBefore, nonce };
    if (verifyTypedData(domain, types, message, signature) !== from)
      return 'invalid_exact_evm_payload_signature';
    if (to !== payTo) return 'invalid_exact_evm_payload_recipient_mismatch';
    if (BigInt(value) !== amountAtomic) return 'invalid_exact_evm_payload_authorization_value';
    const nowSeconds = nowMs / 1_000;
    if (Number(validAfter) > nowSeconds) return 'invalid_exact_evm_payload_authorization_valid_after';
    if (Number(validBefore) < nowSeconds) return 'invalid_exact_evm_payload_authorization_valid_before';
    return { payer: from, nonce, amountAtomic };
  } catch {
    return 'invalid_payload';
  }
}
