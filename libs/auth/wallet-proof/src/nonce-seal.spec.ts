import { NonceSeal } from './nonce-seal';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const seal = new NonceSeal(['a secret'], 'shop.example');
const issuedAtMs = Date.parse('2026-11-21T12:00:00Z');

it('opens a nonce and returns the facts that it was issued for', () => {
  for (const chainId of [0, 1, 8453, 2 ** 32 - 1])
    expect(seal.open(seal.issue(wallet, { issuedAtMs: issuedAtMs + 999, chainId }), wallet)).toEqual({
      issuedAtMs,
      chainId,
    });
});

it('issues a different nonce each time, in a form that all schemes accept', () => {
  const many = Array.from({ length: 100 }, () => seal.issue(wallet, { issuedAtMs, chainId: 1 }));
  expect(new Set(many).size).toBe(100);
  // EIP-4361 requires at least eight letters and digits; TON Connect accepts up to 128 bytes.
  for (const nonce of many) expect(nonce).toMatch(/^[0-9a-f]{64}$/);
});

it('rejects a nonce of another wallet, domain or secret', () => {
  const nonce = seal.issue(wallet, { issuedAtMs, chainId: 1 });
  expect(seal.open(nonce, wallet.toLowerCase())).toBeUndefined();
  expect(new NonceSeal(['a secret'], 'other.example').open(nonce, wallet)).toBeUndefined();
  expect(new NonceSeal(['another'], 'shop.example').open(nonce, wallet)).toBeUndefined();
});

it('accepts nonces of the former secret during a rotation, and issues nonces with the new secret', () => {
  const replacing = new NonceSeal(['next', 'a secret'], 'shop.example');
  const issued = { issuedAtMs, chainId: 1 };
  expect(replacing.open(seal.issue(wallet, issued), wallet)).toEqual(issued);
  const nonce = replacing.issue(wallet, issued);
  expect(new NonceSeal(['next'], 'shop.example').open(nonce, wallet)).toEqual(issued);
  expect(seal.open(nonce, wallet)).toBeUndefined();
});

it('rejects a nonce with any changed digit', () => {
  const nonce = seal.issue(wallet, { issuedAtMs, chainId: 1 });
  for (let at = 0; at < nonce.length; at++) {
    const changed = nonce.slice(0, at) + (nonce[at] === '0' ? '1' : '0') + nonce.slice(at + 1);
    expect(seal.open(changed, wallet)).toBeUndefined();
  }
});

it.each(['', '00', 'x'.repeat(64), 'A'.repeat(64), `${'0'.repeat(64)}\n`, '0'.repeat(66)])(
  'rejects %j',
  (text) => {
    expect(seal.open(text, wallet)).toBeUndefined();
  },
);
