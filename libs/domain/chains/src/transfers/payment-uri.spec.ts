import { findChain, findToken } from '../registry';
import { paymentUri } from './payment-uri';

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

function uriOf(chainName: string, symbol: string, memo: string | null = null, reference?: string) {
  const chain = findChain(chainName)!;
  const terms = { chain, token: findToken(chain, symbol)!, address, amountAtomic: 1_650n, memo };
  return paymentUri(reference === undefined ? terms : { ...terms, reference });
}

describe('paymentUri', () => {
  it.each([
    ['eip155:8453', 'ETH', `ethereum:${address}@8453?value=1650`],
    ['eip155:8453', 'USDC', `ethereum:${usdc}@8453/transfer?address=${address}&uint256=1650`],
    ['btc', 'BTC', `bitcoin:${address}?amount=0.0000165`],
    ['doge', 'DOGE', `dogecoin:${address}?amount=0.0000165`],
    ['solana', 'SOL', `solana:${address}?amount=0.00000165`],
    [
      'solana',
      'USDC',
      `solana:${address}?amount=0.00165&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v`,
    ],
    ['ton', 'TON', `ton://transfer/${address}?amount=1650`],
    [
      'ton',
      'USDT',
      `ton://transfer/${address}?amount=1650&jetton=EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs`,
    ],
    ['near', 'NEAR', null],
    ['tron', 'USDT', null],
    ['sui', 'USDC', null],
  ])('links a transfer on %s of %s by %s', (chain, token, uri) => {
    expect(uriOf(chain, token)).toBe(uri);
  });

  it.each([
    ['solana', 'SOL', `solana:${address}?amount=0.00000165&memo=a%20b`],
    ['ton', 'TON', `ton://transfer/${address}?amount=1650&text=a%20b`],
    ['base', 'ETH', `ethereum:${address}@8453?value=1650`],
  ])('adds a reference to the link on %s, if its scheme supports one', (chain, token, uri) => {
    expect(uriOf(chain, token, null, 'a b')).toBe(uri);
  });

  it.each([
    ['base', 'ETH', `ethereum:${address}@8453`],
    ['base', 'USDC', `ethereum:${usdc}@8453/transfer?address=${address}`],
    ['solana', 'SOL', `solana:${address}`],
    ['btc', 'BTC', `bitcoin:${address}`],
  ])('omits the amount on %s for %s if the payer chooses it', (name, symbol, uri) => {
    const chain = findChain(name)!;
    const terms = { chain, token: findToken(chain, symbol)!, address, amountAtomic: null, memo: null };
    expect(paymentUri(terms)).toBe(uri);
  });

  it('returns no link for a transfer that needs a memo', () => {
    expect(uriOf('eip155:8453', 'ETH', '4711')).toBeNull();
  });
});
