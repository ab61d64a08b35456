import { signatureProblem } from './signature-form';

describe('signatureProblem', () => {
  it.each([
    ['eip4361', `0x${'ab'.repeat(65)}`],
    // A contract wallet may define any signature format.
    ['eip4361', '0x'],
    ['solana', '1'.repeat(64)],
    ['solana', 'z'.repeat(88)],
  ] as const)('accepts a signature of %s: %s', (scheme, signature) => {
    expect(signatureProblem(scheme, signature)).toBeUndefined();
  });

  it.each([
    ['eip4361', 'half a byte', '0xabc'],
    ['eip4361', 'a missing 0x', 'ab'.repeat(65)],
    ['solana', 'a character outside base58', '0'.repeat(64)],
    ['solana', 'too few characters', '1'.repeat(63)],
    ['solana', 'too many characters', '1'.repeat(89)],
  ] as const)('rejects a signature of %s with %s', (scheme, _name, signature) => {
    expect(signatureProblem(scheme, signature)).toMatch(/^must be /);
  });
});
