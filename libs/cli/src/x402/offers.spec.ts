import { recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { isEip3009, signExact } from './exact';
import { decodeHeader, encodeHeader, readDemand } from './offers';
import { anOffer } from './testing/offer.builder';

const offer = anOffer();
const demand = { x402Version: 2, accepts: [offer] };

describe('readDemand', () => {
  it('reads the header, or the body if the header is absent', () => {
    expect(readDemand(encodeHeader(demand), '')).toEqual(demand);
    expect(readDemand(null, JSON.stringify(demand))).toEqual(demand);
  });

  it('skips invalid offers', () => {
    const broken = [
      { ...offer, amount: '-1' },
      { ...offer, amount: 1000 },
      { ...offer, payTo: null },
      null,
      'x',
    ];
    expect(readDemand(null, JSON.stringify({ ...demand, accepts: [...broken, offer] })).accepts).toEqual([
      offer,
    ]);
  });

  it.each([
    ['', 'contains no x402 payment offer'],
    ['{"accepts": 1}', 'contains no x402 payment offer'],
    ['{"x402Version": 1, "accepts": []}', 'version 1'],
  ])('rejects %j', (body, message) => {
    expect(() => readDemand(null, body)).toThrow(message);
  });
});

it('decodeHeader accepts only base64 of JSON', () => {
  expect(decodeHeader(encodeHeader({ a: 'é' }))).toEqual({ a: 'é' });
  for (const text of [null, '', '{}', 'é', Buffer.from('{').toString('base64'), 'a'.repeat(100_000)])
    expect(decodeHeader(text)).toBeUndefined();
});

describe('exact', () => {
  const key = `0x${'11'.repeat(32)}` as const;

  it('signs an authorization that matches the offer exactly', async () => {
    const { signature, authorization } = (await signExact(offer, key)) as {
      signature: `0x${string}`;
      authorization: Record<string, string>;
    };
    expect(authorization).toMatchObject({ to: offer.payTo, value: '1000' });
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const signer = await recoverTypedDataAddress({
      domain: {
        name: 'USD Coin',
        version: '2',
        chainId: 8453,
        verifyingContract: offer.asset as `0x${string}`,
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
        from: from as `0x${string}`,
        to: to as `0x${string}`,
        value: BigInt(value!),
        validAfter: BigInt(validAfter!),
        validBefore: BigInt(validBefore!),
        nonce: nonce as `0x${string}`,
      },
      signature,
    });
    expect([signer, from]).toEqual(Array(2).fill(privateKeyToAccount(key).address));
    const seconds = Date.now() / 1_000;
    expect(Number(validBefore) - seconds).toBeLessThanOrEqual(60);
    expect(Number(validAfter)).toBeLessThan(seconds);
  });

  it.each([
    [offer, true],
    [{ ...offer, extra: { ...offer.extra, assetTransferMethod: 'permit2' } }, false],
    [{ ...offer, extra: {} }, false],
    [{ ...offer, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, false],
    [{ ...offer, scheme: 'upto' }, false],
  ])('isEip3009 maps %j to %s', (given, wanted) => {
    expect(isEip3009(given as typeof offer)).toBe(wanted);
  });
});
