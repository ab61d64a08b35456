import { WebhookSecrets } from './webhook-secrets';

const secrets = new WebhookSecrets({ MERCHANT_KEY_PEPPER: 'p'.repeat(32) });

it('makes secrets of 32 random bytes, as Standard Webhooks writes them', () => {
  const [one, other] = [secrets.create(), secrets.create()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(other);
});

it('opens what it has sealed, each time another text, and shows nothing of it', () => {
  const secret = secrets.create();
  const [one, other] = [secrets.seal(secret, '0xA'), secrets.seal(secret, '0xA')];
  expect([secrets.open(one, '0xA'), secrets.open(other, '0xA')]).toEqual([secret, secret]);
  expect(one.equals(other)).toBe(false);
  expect(one.toString('latin1')).not.toContain(secret.slice(6, 20));
});

it('opens nothing of another wallet, of another pepper, changed, or cut', () => {
  const sealed = secrets.seal(secrets.create(), '0xA');
  expect(secrets.open(sealed, '0xB')).toBeUndefined();
  const others = new WebhookSecrets({ MERCHANT_KEY_PEPPER: 'q'.repeat(32) });
  expect(others.open(sealed, '0xA')).toBeUndefined();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(secrets.open(changed, '0xA')).toBeUndefined();
    expect(secrets.open(sealed.subarray(0, at), '0xA')).toBeUndefined();
  }
});
