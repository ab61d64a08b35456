import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisTls } from './redis-tls';
import { databaseUrl, natsUrl, redisUrl } from './server-urls';
import { loadConfig, type Settings } from './settings';
import { readTlsFiles, tlsFilesOf, tlsSettings } from './tls-settings';

const described = { description: 'the server', example: 'example://server' };
const settings = {
  SHOP_DATABASE_URL: databaseUrl({ ...described, default: '' }),
  SHOP_NATS_URL: natsUrl({ ...described, default: '' }),
  SHOP_REDIS_URL: redisUrl({ ...described, default: '' }),
  ...tlsSettings('database'),
  ...tlsSettings('nats'),
  ...tlsSettings('redis'),
} satisfies Settings;

const load = (env: NodeJS.ProcessEnv, environment = 'production') =>
  loadConfig(settings, { TOLLBRIDGE_ENV: environment, ...env });

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-settings-'));
  for (const name of ['one', 'other'])
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        '/CN=x',
      ].concat(['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)]),
      { stdio: 'ignore' },
    );
  writeFileSync(at('text'), 'hunter2');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a server URL in production', () => {
  const plain: [string, string, string][] = [
    ['SHOP_DATABASE_URL', 'postgres://shop:x@db.internal/shop', 'database'],
    ['SHOP_DATABASE_URL', 'postgres://shop:x@10.0.0.1/shop?sslmode=disable', 'database'],
    ['SHOP_NATS_URL', 'nats://shop:x@nats:4222', 'nats'],
    ['SHOP_NATS_URL', 'tls://shop:x@nats-0:4222,nats://shop:x@nats-1:4222', 'nats'],
    ['SHOP_REDIS_URL', 'redis://:x@redis:6379', 'redis'],
  ];

  it.each(plain)('%s: rejects %s', (name, url, kind) => {
    expect(() => load({ [name]: url })).toThrow(`${name} reaches`);
    expect(() => load({ [name]: url })).toThrow(`ALLOW_PLAINTEXT=${kind}=REASON`);
    expect(() => load({ [name]: url })).not.toThrow(':x@');
  });

  it.each(plain)('%s: accepts %s with its reason in ALLOW_PLAINTEXT', (name, url, kind) => {
    const env = { [name]: url, ALLOW_PLAINTEXT: `${kind}=the mesh encrypts it` };
    expect(load(env).plaintext).toEqual({ [name]: 'the mesh encrypts it' });
    const others = ['database', 'nats', 'redis'].filter((each) => each !== kind);
    const other = others.map((each) => `${each}=the mesh encrypts it`).join(',');
    expect(() => load({ ...env, ALLOW_PLAINTEXT: other })).toThrow(`${name} reaches`);
  });

  it.each(plain)('%s: accepts %s outside of production', (name, url) => {
    for (const environment of ['sandbox', 'test'])
      expect(load({ [name]: url }, environment)[name as never]).toBe(url);
  });

  it.each([
    ['SHOP_DATABASE_URL', 'postgres://shop:x@db.internal/shop?sslmode=verify-full'],
    ['SHOP_DATABASE_URL', 'postgres://shop:x@127.0.0.1/shop'],
    ['SHOP_NATS_URL', 'tls://shop:x@nats-0:4222,tls://nats-1:4222'],
    ['SHOP_NATS_URL', 'nats://shop:x@localhost:4222,nats://[::1]:4222'],
    ['SHOP_REDIS_URL', 'rediss://:x@redis:6379'],
    ['SHOP_REDIS_URL', 'redis://:x@127.0.0.1:6379'],
    ['SHOP_REDIS_URL', ''],
  ])('%s: accepts the encrypted, local or empty value "%s"', (name, url) => {
    expect(load({ [name]: url })).toMatchObject({ [name]: url });
    expect(load({ [name]: url }).plaintext).toBeUndefined();
  });

  it.each(plain.filter(([, url]) => !url.includes('disable')))(
    '%s: accepts %s with a CA file',
    (name, url, kind) => {
      const env = { [name]: url, [`${kind.toUpperCase()}_CA_FILE`]: at('one.crt') };
      expect(load(env).plaintext).toBeUndefined();
    },
  );

  it('finds a URL without TLS in a file too', () => {
    writeFileSync(at('url'), 'nats://shop:x@nats:4222');
    expect(() => load({ SHOP_NATS_URL_FILE: at('url') })).toThrow('SHOP_NATS_URL reaches NATS without TLS');
  });

  it.each(['nats', 'nats=', 'kafka=no reason', 'nats=ok,redis', '=x', 'NATS=x'])(
    'rejects ALLOW_PLAINTEXT=%s in every environment',
    (ALLOW_PLAINTEXT) => {
      for (const environment of ['sandbox', 'test', 'production'])
        expect(() => load({ ALLOW_PLAINTEXT }, environment)).toThrow('ALLOW_PLAINTEXT must be kind=reason');
    },
  );
});

describe('databaseUrl', () => {
  it.each(['prefer', 'allow', 'require', 'verify-ca', 'no-verify', ''])('rejects sslmode=%s', (mode) => {
    const url = `postgres://shop:x@db.internal/shop?sslmode=${mode}`;
    expect(() => load({ SHOP_DATABASE_URL: url })).toThrow('must have sslmode=verify-full');
  });

  it.each(['sslrootcert', 'sslcert', 'sslkey', 'ssl', 'sslnegotiation'])(
    'rejects the parameter %s',
    (name) => {
      const url = `postgres://shop:x@db.internal/shop?sslmode=verify-full&${name}=x`;
      expect(() => load({ SHOP_DATABASE_URL: url })).toThrow(`must not have ${name}: set DATABASE_CA_FILE`);
    },
  );
});

describe('tlsSettings', () => {
  it('returns the configured files by the kind of server', () => {
    const config = load({
      NATS_CA_FILE: at('one.crt'),
      NATS_CERT_FILE: at('one.crt'),
      NATS_KEY_FILE: at('one.key'),
      REDIS_CA_FILE: at('other.crt'),
    });
    const nats = { caFile: at('one.crt'), certFile: at('one.crt'), keyFile: at('one.key') };
    expect(tlsFilesOf(config, 'nats')).toEqual(nats);
    expect(tlsFilesOf(config, 'redis')).toEqual({ caFile: at('other.crt') });
    expect(tlsFilesOf(config, 'database')).toEqual({});
    expect(readTlsFiles(nats).key!.toString()).toContain('PRIVATE KEY');
  });

  it.each([
    [{ NATS_CA_FILE: 'none' }, 'NATS_CA_FILE file FOLDER/none cannot be read (ENOENT)'],
    [{ NATS_CA_FILE: 'text' }, 'NATS_CA_FILE file FOLDER/text is not PEM of the right kind'],
    [{ NATS_CA_FILE: 'one.key' }, 'NATS_CA_FILE file FOLDER/one.key is not PEM'],
    [{ NATS_CERT_FILE: 'one.crt' }, 'NATS_CERT_FILE needs NATS_KEY_FILE too'],
    [{ NATS_KEY_FILE: 'one.key' }, 'NATS_KEY_FILE needs NATS_CERT_FILE too'],
    [{ NATS_CERT_FILE: 'one.crt', NATS_KEY_FILE: 'text' }, 'NATS_KEY_FILE file FOLDER/text is not PEM'],
    [
      { NATS_CERT_FILE: 'one.crt', NATS_KEY_FILE: 'other.key' },
      'NATS_CERT_FILE does not belong to the key of NATS_KEY_FILE',
    ],
  ])('rejects %j', (files, problem) => {
    const env = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, at(file)]));
    expect(() => load(env)).toThrow(problem.replace('FOLDER', folder));
    expect(() => load(env)).not.toThrow(/hunter2|PRIVATE/);
  });
});

describe('redisTls', () => {
  it('reads the files for each connection, and returns nothing for a URL without TLS', () => {
    expect(redisTls('redis://:x@redis')).toEqual({});
    copyFileSync(at('one.crt'), at('ca.crt'));
    const { tls } = redisTls('redis://:x@redis', { caFile: at('ca.crt') });
    expect({ ...tls }['ca']).toEqual(readFileSync(at('one.crt')));
    copyFileSync(at('other.crt'), at('ca.crt'));
    expect({ ...tls }['ca']).toEqual(readFileSync(at('other.crt')));
    expect(redisTls('rediss://:x@redis').tls).toMatchObject({ rejectUnauthorized: true });
  });
});
