import { randomBytes } from 'node:crypto';
import type { Offer } from './offers';

type Hex = `0x${string}`;

/** Whether an offer uses the scheme `exact` with an EIP-3009 authorization. */
export const isEip3009 = ({ scheme, network, extra }: Offer): boolean =>
  scheme === 'exact' &&
  network.startsWith('eip155:') &&
  (extra?.['assetTransferMethod'] ?? 'eip3009') === 'eip3009' &&
  typeof extra?.['name'] === 'string' &&
  typeof extra['version'] === 'string';

// The clock of the chain may lag.
const skewSeconds = 600;

/** Creates the payload of `exact` on EVM chains: a signed `TransferWithAuthorization`. */
export async function signExact(offer: Offer, privateKey: Hex): Promise<object> {
  const { privateKeyToAccount } = await import('../pay/evm-signer');
  const account = privateKeyToAccount(privateKey);
  const nowS = Math.floor(Date.now() / 1_000);
  const authorization = {
    from: account.address,
    to: offer.payTo as Hex,
    value: offer.amount,
    validAfter: String(nowS - skewSeconds),
    validBefore: String(nowS + (offer.maxTimeoutSeconds || 60)),
    nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
  };
  const { value, validAfter, validBefore } = authorization;
  const signature = await account.signTypedData({
    domain: {
      name: String(offer.extra['name']),
      version: String(offer.extra['version']),
      chainId: Number(offer.network.split(':')[1]),
      verifyingContract: offer.asset as Hex,
    },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  });
  return { signature, authorization };
}
