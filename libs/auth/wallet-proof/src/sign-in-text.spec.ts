import { SiweMessage } from 'siwe';
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import { differenceFrom, signInText, type SignInText } from './sign-in-text';

const facts: SignInText = {
  account: 'Ethereum',
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  domain: 'shop.example',
  uri: 'https://shop.example',
  chain: '8453',
  nonce: 'a1'.repeat(32),
  issuedAtMs: Date.parse('2026-11-21T12:00:00Z'),
  expiresAtMs: Date.parse('2026-11-21T12:05:00Z'),
};
const text = signInText(facts);

describe('signInText', () => {
  it.each([facts, { ...facts, domain: '127.0.0.1:3000', uri: 'http://127.0.0.1:3000' }])(
    'creates an EIP-4361 text that two libraries parse completely: %j',
    (given) => {
      const read = parseSiweMessage(signInText(given));
      const { domain, uri, nonce, wallet: address } = given;
      const statement = 'Sign in to Tollbridge. This costs nothing and moves no money.';
      const plain = { domain, uri, nonce, address, statement, version: '1', chainId: 8453 };
      const [issuedAt, expirationTime] = [new Date(given.issuedAtMs), new Date(given.expiresAtMs)];
      expect(read).toEqual({ ...plain, issuedAt, expirationTime });
      expect(validateSiweMessage({ message: read, domain, nonce, time: issuedAt })).toBe(true);
      expect(new SiweMessage(signInText(given))).toMatchObject({
        ...plain,
        issuedAt: issuedAt.toISOString(),
        expirationTime: expirationTime.toISOString(),
      });
      expect(new SiweMessage(signInText(given)).prepareMessage()).toBe(signInText(given));
    },
  );
});

describe('differenceFrom', () => {
  it('returns undefined for the same text', () => {
    expect(differenceFrom(text, text)).toBeUndefined();
  });

  it.each([
    ['wrong_domain', 'shop.example wants', 'evil.example wants'],
    // A lookalike letter of another script.
    ['wrong_domain', 'shop.example wants', 'sh\u043ep.example wants'],
    ['wrong_wallet', facts.wallet, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
    ['wrong_wallet', facts.wallet, facts.wallet.toLowerCase()],
    ['wrong_uri', 'URI: https', 'URI: http'],
    ['wrong_chain', 'Chain ID: 8453', 'Chain ID: 1'],
    ['wrong_nonce', 'Nonce: a', 'Nonce: b'],
    ['message_changed', 'costs nothing', 'costs something'],
    ['message_changed', 'Version: 1', 'Version: 2'],
    ['message_changed', 'Issued At: 2026-11-21T12:00', 'Issued At: 2026-11-21T11:00'],
    ['message_changed', '12:05:00.000Z', '13:05:00.000Z'],
    ['message_changed', '12:05:00.000Z', '12:05:00.000Z\nNot Before: 2026-11-21T12:00:00Z'],
    ['message_changed', '12:05:00.000Z', '12:05:00.000Z\nResources:\n- https://evil.example'],
    ['message_changed', '12:05:00.000Z', '12:05:00.000Z '],
    ['message_changed', '\n', '\r\n'],
  ])('returns %s when %j is %j', (reason, part, changed) => {
    expect(differenceFrom(text, text.replaceAll(part, changed))).toBe(
      part === '\n' ? 'wrong_domain' : reason,
    );
  });
});
