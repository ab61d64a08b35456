import { findChain, findToken } from '@tollbridge/chains';
import { ZeroAddress } from 'ethers';
import { instructionsFor } from './instructions';
import type { FromToken } from './payment-options';
import type { OrderToPay } from '../attempts/placed-order';

const of = (chainName: string, symbol: string): FromToken => {
  const chain = findChain(chainName)!;
  return { chain, token: findToken(chain, symbol)! };
};
const terms = { publicUrl: 'https://pay.example/', isDirectHere: true };
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const merchant = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const direct = (token_in_address: string): OrderToPay => ({
  order_id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  method: 'Direct',
  direct: {
    contract_address: contract,
    chain: 'eip155:8453',
    payment_order: {
      order_id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
      token_in: 'USDC',
      token_out: 'USDC',
      amount_in: '1000000',
      token_in_address,
      merchant,
      merchant_amount: '1000000',
      fee_receiver: merchant,
      fee_amount: '0',
      deadline: 1_795_177_800,
    },
  },
  cross_chain: null,
  expires_at: '2026-11-20T12:30:00.000Z',
});

const deposit = (deposit_blockchain: string, deposit_token: string, deposit_memo: string | null = null) =>
  ({
    ...direct(usdc),
    method: 'CrossChain',
    direct: null,
    cross_chain: {
      deposit_address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      deposit_memo,
      deposit_blockchain,
      deposit_token,
      deposit_amount: '1650',
      deposit_amount_formatted: '0.0000165',
      estimated_time: 120,
    },
  }) as OrderToPay;

describe('instructionsFor a direct payment on an EVM chain', () => {
  it('returns the calls of the contract and the link that approves the token', () => {
    const { chain_id, approve, pay, uri } = instructionsFor(direct(usdc), of('base', 'USDC'), terms);
    expect(chain_id).toBe(8453);
    expect([approve!.to, pay!.to]).toEqual([usdc, contract]);
    expect(uri).toBe(`ethereum:${usdc}@8453/approve?address=${contract}&uint256=1000000`);
  });

  it('returns one call and no link for the native coin', () => {
    const { approve, pay, uri } = instructionsFor(direct(ZeroAddress), of('base', 'ETH'), terms);
    expect([approve, uri, pay!.value]).toEqual([null, null, '1000000']);
  });
});

describe('instructionsFor a direct payment on a chain outside EVM', () => {
  it.each([
    ['solana', 'USDC', `solana:${encodeURIComponent('https://pay.example/solana-pay/')}`],
    ['ton', 'USDT', null],
    ['tron', 'USDT', null],
    ['sui', 'USDC', null],
  ])('returns on %s for %s the URL of the payment call, and the link %s', (chain, token, link) => {
    const { uri, ...rest } = instructionsFor(direct('token'), of(chain, token), terms);
    const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
    expect(uri).toBe(link && link + id);
    expect(rest).toEqual({
      chain_id: null,
      approve: null,
      pay: null,
      transfer: null,
      wallet_call_url: `https://pay.example/api/v1/pay/order/${id}/wallet-call`,
    });
  });
});

describe('instructionsFor a deposit', () => {
  it.each([
    ['eip155:8453', 'ETH', 'ethereum:0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC@8453?value=1650'],
    [
      'eip155:8453',
      'USDC',
      `ethereum:${usdc}@8453/transfer?address=0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC&uint256=1650`,
    ],
    ['btc', 'BTC', 'bitcoin:0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC?amount=0.0000165'],
    ['near', 'NEAR', null],
  ])('returns on %s for %s the link %s', (chain, token, uri) => {
    const none = { ...terms, isDirectHere: false };
    expect(instructionsFor(deposit(chain, token), of(chain, token), none)).toMatchObject({
      chain_id: findChain(chain)!.chainId,
      approve: null,
      pay: null,
      uri,
      wallet_call_url: null,
    });
  });

  it.each([
    ['ETH', { to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', data: '0x', value: '1650' }],
    ['USDC', { to: usdc, data: expect.stringMatching(/^0xa9059cbb/), value: '0' }],
  ])('returns the transfer of %s for a wallet of an EVM chain', (token, transfer) => {
    const given = deposit('eip155:8453', token);
    expect(instructionsFor(given, of('base', token), terms).transfer).toEqual(transfer);
  });

  it('returns no transfer on a chain outside EVM, or with a memo', () => {
    expect(instructionsFor(deposit('btc', 'BTC'), of('btc', 'BTC'), terms).transfer).toBeNull();
    const withMemo = deposit('eip155:8453', 'ETH', '4711');
    expect(instructionsFor(withMemo, of('base', 'ETH'), terms).transfer).toBeNull();
  });

  it.each([
    ['solana', 'USDC', null, true],
    ['ton', 'TON', '4711', true],
    ['tron', 'USDT', '4711', true],
    ['sui', 'USDC', null, true],
    ['sui', 'USDC', '4711', false],
    ['btc', 'BTC', null, false],
    ['base', 'USDC', null, false],
  ])(
    'returns on %s for %s with the memo %s the URL of the payment call: %s',
    (chain, token, memo, hasCall) => {
      const given = deposit(chain, token, memo);
      const { wallet_call_url: url } = instructionsFor(given, of(chain, token), {
        ...terms,
        isDirectHere: chain !== 'btc',
      });
      const expected = `https://pay.example/api/v1/pay/order/${given.order_id}/wallet-call`;
      expect(url).toBe(hasCall ? expected : null);
    },
  );

  it('returns no URL of a payment call where this deployment accepts no direct payments', () => {
    const away = { ...terms, isDirectHere: false };
    const { wallet_call_url: url } = instructionsFor(deposit('solana', 'SOL'), of('solana', 'SOL'), away);
    expect(url).toBeNull();
  });

  it('returns no link for a deposit with a memo, because wallets drop the memo', () => {
    expect(instructionsFor(deposit('eip155:8453', 'ETH', '4711'), of('base', 'ETH'), terms).uri).toBeNull();
  });
});
