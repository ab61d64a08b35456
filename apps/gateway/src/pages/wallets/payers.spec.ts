import { aPaymentDetails } from '../testing/payment.builder';
import { payersIn, walletsFor } from './payers';

const evm = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const solana = 'F2p5xnwZGUmyAcudMX718ed37vym1REyMvGssBXM7j6x';

describe('payersIn', () => {
  it('reads one or several wallets, and returns their canonical addresses', () => {
    expect(payersIn({ payer: `evm:${evm.toLowerCase()}` })).toEqual({ evm });
    expect(payersIn({ payer: [`evm:${evm}`, `solana:${solana}`] })).toEqual({ evm, solana });
  });

  it.each([
    undefined,
    {},
    { payer: '' },
    { payer: evm },
    { payer: 'evm:0x12' },
    { payer: `solana:${evm}` },
    { payer: 'utxo:1BoatSLRHtKNngkdXEeobR76b53LETtpyT' },
    { payer: 'evm:<script>' },
    { payer: `evm:${'0'.repeat(10_000)}` },
  ])('omits an address that is not a wallet: %j', (query) => {
    expect(payersIn(query)).toEqual({});
  });

  it('reads at most five wallets', () => {
    const payer = [...Array.from({ length: 5 }, () => 'evm:0x12'), `solana:${solana}`];
    expect(payersIn({ payer })).toEqual({});
  });
});

describe('walletsFor', () => {
  it('returns the wallet for each chain that an option uses', () => {
    const { payment_options: options } = aPaymentDetails();
    expect(walletsFor(options, { evm, solana })).toEqual({ 'eip155:8453': evm });
  });
});
