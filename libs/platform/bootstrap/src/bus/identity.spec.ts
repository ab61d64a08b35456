import { appCalls } from '@tollbridge/contracts';
import { testIdentities } from '@tollbridge/testing';
import { developmentIdentitySecret, identityPublicKey } from '@tollbridge/rpc';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIdentity, type IdentityConfig } from './identity';

const folder = mkdtempSync(join(tmpdir(), 'tollbridge-identity-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 's'.repeat(40);
const file = join(folder, 'identities.json');
writeFileSync(file, JSON.stringify({ merchant: [identityPublicKey(secret)] }));

const configOf = (change: object) => ({
  environment: 'production' as const,
  SERVICE_IDENTITIES_FILE: file,
  MERCHANT_IDENTITY_SECRET: secret,
  ...change,
});

describe('openIdentity', () => {
  it('opens the identity of an app that is listed in the file', () => {
    expect(openIdentity('merchant', configOf({})).app).toBe('merchant');
  });

  it('uses the development identities in the sandbox without a file', () => {
    const config = configOf({
      environment: 'sandbox',
      SERVICE_IDENTITIES_FILE: '',
      MERCHANT_IDENTITY_SECRET: developmentIdentitySecret('merchant'),
    });
    expect(openIdentity('merchant', config).app).toBe('merchant');
  });

  it.each<[string, object, string]>([
    ['no file outside the sandbox', { SERVICE_IDENTITIES_FILE: '' }, 'SERVICE_IDENTITIES_FILE is missing'],
    ['a file that does not exist', { SERVICE_IDENTITIES_FILE: join(folder, 'none.json') }, 'ENOENT'],
    [
      'a secret that does not match the public key in the file',
      { MERCHANT_IDENTITY_SECRET: 'x'.repeat(40) },
      'do not match',
    ],
    [
      'the development secret as the second one',
      { MERCHANT_IDENTITY_SECRET: `${secret},${developmentIdentitySecret('merchant')}` },
      'MERCHANT_IDENTITY_SECRET must not be a value from the examples',
    ],
  ])('rejects %s', (_what, change, message) => {
    expect(() => openIdentity('merchant', configOf(change))).toThrow(message);
  });

  it('rejects a file without a list of keys for the app', () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"merchant": "x"}');
    expect(() => openIdentity('merchant', configOf({ SERVICE_IDENTITIES_FILE: broken }))).toThrow(
      'SERVICE_IDENTITIES_FILE cannot be read: it must list one or 2 public keys for merchant',
    );
  });
});

describe('testIdentities', () => {
  it.each(Object.keys(appCalls))('contains the key of %s', (app) => {
    const config = { environment: 'test' as const, ...testIdentities(app) } as unknown as IdentityConfig;
    expect(openIdentity(app, config).app).toBe(app);
  });
});
