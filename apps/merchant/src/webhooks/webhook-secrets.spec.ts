import { WebhookSecrets } from './webhook-secrets';

const secrets = new WebhookSecrets({ values: ['p'.repeat(32)] });

it('create returns 32 random bytes in the format of Standard Webhooks', () => {
  const [one, other] = [secrets.create(), secrets.create()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(other);
});

it('open decrypts a sealed secret, which differs each time and does not contain the plain text', () => {
  const secret = secrets.create();
  const [one, other] = [secrets.seal(secret, '0xA'), secrets.seal(secret, '0xA')];
  expect([secrets.open(one, '0xA'), secrets.open(other, '0xA')]).toEqual([secret, secret]);
  expect(one.equals(other)).toBe(false);
  expect(one.toString('latin1')).not.toContain(secret.slice(6, 20));
});

it('open decrypts secrets under the former pepper while it is being replaced, and seal uses the new one', () => {
  const replacing = new WebhookSecrets({ values: ['n'.repeat(32), 'p'.repeat(32)] });
  const secret = secrets.create();
  expect(replacing.open(secrets.seal(secret, '0xA'), '0xA')).toBe(secret);
  expect(secrets.open(replacing.seal(secret, '0xA'), '0xA')).toBeUndefined();
});

it('open rejects a secret of another wallet or pepper, and a changed or truncated secret', () => {
  const sealed = secrets.seal(secrets.create(), '0xA');
  expect(secrets.open(sealed, '0xB')).toBeUndefined();
  const others = new WebhookSecrets({ values: ['q'.repeat(32)] });
  expect(others.open(sealed, '0xA')).toBeUndefined();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(secrets.open(changed, '0xA')).toBeUndefined();
    expect(secrets.open(sealed.subarray(0, at), '0xA')).toBeUndefined();
  }
});
