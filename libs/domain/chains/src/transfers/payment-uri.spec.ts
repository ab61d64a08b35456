import { findChain, findToken } from '../registry';
import { paymentUri } from './payment-uri';

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

function uriOf(chainName: string, symbol: string, memo: string | null = null): string | null {
  const chain = findChain(chainName)!;
  return paymentUri({ chain, token: findToken(chain, symbol)!, address, amountAtomic: 1_650n, memo });
}

describe('paymentUri', () => {
  it.each([
    ['eip155:8453', 'ETH', `ethereum:${address}@8453?value=1650`],
    ['eip155:8453', 'USDC', `ethereum:${usdc}@8453/transfer?address=${address}&uint256=1650`],
    ['btc', 'BTC', `bitcoin:${address}?amount=0.0000165`],
    ['doge', 'DOGE', `dogecoin:${address}?amount=0.0000165`],
    ['near', 'NEAR', null],
  ])('links a transfer on %s of %s by %s', (chain, token, uri) => {
    expect(uriOf(chain, token)).toBe(uri);
  });

  it('gives no link for a transfer that needs a memo', () => {
    expect(uriOf('eip155:8453', 'ETH', '4711')).toBeNull();
  });
});
