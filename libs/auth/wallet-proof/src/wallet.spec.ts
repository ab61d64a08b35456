import { canonicalWallet, readWallet } from './wallet';

const evm = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const solana = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri';
const ton = 'UQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFS87';
const tonForms = {
  raw: '0:b67b2f244992795617 87cedb03ba2d02e21ea800e6c72475008edeabb481a015'.replace(' ', ''),
  test: '0QC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFbrV',
  testBounceable: 'kQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFecQ',
};
const tonMain = canonicalWallet(tonForms.raw, 'production')!;

it.each([
  [evm, evm, 'eip4361'],
  [evm.toLowerCase(), evm, 'eip4361'],
  [`0x${evm.slice(2).toUpperCase()}`, evm, 'eip4361'],
  [solana, solana, 'solana'],
  [tonForms.raw, tonMain, 'ton_proof'],
  [tonForms.raw.toUpperCase(), tonMain, 'ton_proof'],
  [tonMain, tonMain, 'ton_proof'],
])('readWallet reads %s', (text, address, scheme) => {
  expect(readWallet(text, 'production')).toEqual({ address, scheme });
  expect(canonicalWallet(text, 'production')).toBe(address);
});

it('readWallet selects the network of TON addresses by the environment', () => {
  for (const text of [tonForms.test, tonForms.testBounceable, tonForms.raw]) {
    expect(readWallet(text, 'test')).toEqual({ address: tonForms.test, scheme: 'ton_proof' });
    expect(canonicalWallet(text, 'test')).toBe(tonForms.test);
  }
  expect(readWallet(tonMain, 'test')).toBeUndefined();
  for (const environment of ['production', 'sandbox'] as const) {
    expect(readWallet(tonForms.test, environment)).toBeUndefined();
    expect(canonicalWallet(tonForms.raw, environment)).toBe(tonMain);
  }
});

it.each([
  '',
  ' ',
  'hello',
  `${evm} `,
  `${evm}, ${evm}`,
  evm.slice(0, -1),
  evm.replace('C5', 'c5'),
  evm.slice(2),
  // Lookalike letters of other scripts, and full-width digits.
  evm.replace('C', '\u0421'),
  evm.replace('0x', '0\u0445'),
  evm.replace('7', '\uff17'),
  `${evm}\u200b`,
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dEaD',
  // The identity precompile, which returns its input.
  '0x0000000000000000000000000000000000000004',
  '11111111111111111111111111111111',
  'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1',
  'alice.near',
  ton.slice(0, -1) + 'A',
  '2:b67b2f24499279561787cedb03ba2d02e21ea800e6c72475008edeabb481a015',
  'a'.repeat(10_000),
])('readWallet rejects %j', (text) => {
  expect(readWallet(text, 'production')).toBeUndefined();
});
