import { readPayment } from './received-payment';

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const nonce = `0x${'AB'.repeat(32)}`;
const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: from,
  amount: '1000',
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2', offer: 'offer' },
};
const payment = {
  x402Version: 2,
  accepted,
  payload: { signature: '0x12', authorization: { from, nonce, validBefore: '1795348800' } },
};

describe('readPayment', () => {
  it('reads a transaction where Solana is accepted, and keeps the case of its addresses', () => {
    const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
    const asset = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const onSolana = {
      ...payment,
      accepted: { ...accepted, network, asset },
      payload: { transaction: 'AA==' },
    };
    expect(readPayment(onSolana)).toMatchObject({ reason: 'invalid_network' });
    const readTransfer = jest.fn(() => ({ payer: 'Payer', nonce }));
    const identity = { scheme: 'exact', network, asset, payer: 'Payer', nonce };
    expect(readPayment(onSolana, { readTransfer })).toMatchObject({ identity, validBeforeS: 0 });
    expect(readTransfer).toHaveBeenCalledWith({ transaction: 'AA==' }, asset);
  });

  it('identifies a payment by payer and nonce, in canonical spelling', () => {
    const read = readPayment(payment);
    expect(read).toMatchObject({
      identity: {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: accepted.asset.toLowerCase(),
        payer: from.toLowerCase(),
        nonce: nonce.toLowerCase(),
      },
      offer: 'offer',
      validBeforeS: 1_795_348_800,
    });
  });

  it('drops fields that x402 does not define', () => {
    expect(readPayment({ ...payment, status: 'bought' })).toMatchObject({ payload: payment });
  });

  it.each([
    ['exact', 'invalid_payload'],
    ['upto', 'unsupported_scheme'],
  ])('rejects a payment by Permit2 with the scheme %s, and states that it is refunded', (scheme, reason) => {
    const payload = { signature: '0x12', permit2Authorization: { from, nonce: '1' } };
    const read = readPayment({ ...payment, accepted: { ...accepted, scheme }, payload });
    expect(read).toEqual({ reason, message: expect.stringMatching(/accepts.*refunded to its payer/) });
  });

  it.each([
    ['version 1', { ...payment, x402Version: 1 }, 'invalid_x402_version'],
    ['no accepted offer', { ...payment, accepted: undefined }, 'invalid_payload'],
    ['an amount that is not text', { ...payment, accepted: { ...accepted, amount: 1 } }, 'invalid_payload'],
    [
      'no offer of a 402',
      { ...payment, accepted: { ...accepted, extra: {} } },
      'invalid_payment_requirements',
    ],
    ['another scheme', { ...payment, accepted: { ...accepted, scheme: 'upto' } }, 'unsupported_scheme'],
    ['no authorization', { ...payment, payload: {} }, 'invalid_payload'],
    ['no end', { ...payment, payload: { authorization: { from, nonce } } }, 'invalid_payload'],
    ['a short nonce', { ...payment, payload: { authorization: { from, nonce: '0x12' } } }, 'invalid_payload'],
    [
      'a payer that is not an address',
      { ...payment, payload: { authorization: { from: 'me', nonce } } },
      'invalid_payload',
    ],
    [
      'a nano-payment that cannot be read',
      { ...payment, accepted: { ...accepted, scheme: 'ton-nanopay' } },
      'invalid_payload',
    ],
  ])('rejects %s', (_title, given, reason) => {
    expect(readPayment(given as Record<string, unknown>)).toMatchObject({ reason });
  });
});
