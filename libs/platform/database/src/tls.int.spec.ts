import type { TlsFiles } from '@tollbridge/config';
import { copyFileSync } from 'node:fs';
import { Database } from './database';
import { migrate } from './schema/migrate';
import { SharedCache } from './shared-cache';
import {
  eventually,
  startTlsPostgres,
  startTlsRedis,
  TestAuthority,
  type TlsServer,
} from './testing/servers';

const [authority, foreign] = [new TestAuthority(), new TestAuthority()];
const good = authority.issue();
const client = (commonName: string): TlsFiles => ({
  caFile: authority.caFile,
  ...authority.issue({ commonName }),
});
afterAll(() => {
  authority.remove();
  foreign.remove();
});

const badCertificates: [string, () => ReturnType<TestAuthority['issue']>, RegExp][] = [
  ['of a foreign CA', () => foreign.issue(), /verify|self.signed|unable/i],
  ['that has expired', () => authority.issue({ days: -1 }), /expired/],
  ['of another host', () => authority.issue({ names: 'DNS:other.example,IP:10.0.0.1' }), /altnames/],
  ['of another address', () => authority.issue({ names: 'DNS:localhost' }), /altnames/],
];

describe('Database over TLS', () => {
  let server: TlsServer;
  beforeAll(async () => {
    server = await startTlsPostgres(authority.caFile, good);
  });
  afterAll(() => server?.remove());

  const urlTo = (host: string, query = '') => `postgres://postgres:x@${host}:${server.port}/postgres${query}`;
  const open = (tls: TlsFiles, url = urlTo('127.0.0.1')) =>
    Database.open({ app: 'shop', url, tls, entities: [], maxConnections: 2 });
  const isEncrypted = async ({ pool }: Database): Promise<unknown> => {
    const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return rows[0].ssl;
  };

  it.each([
    ['127.0.0.1', ''],
    ['localhost', ''],
    ['localhost', '?sslmode=verify-full'],
  ])('connects to %s%s with certificates of the CA', async (host, query) => {
    const database = await open(client('postgres'), urlTo(host, query));
    expect(await isEncrypted(database)).toBe(true);
    await database.close();
  });

  it('runs migrations over TLS', async () => {
    const options = { app: 'shop', url: urlTo('localhost'), migrations: [] };
    expect(await migrate({ ...options, tls: client('postgres') })).toEqual([]);
    await expect(migrate({ ...options, tls: { caFile: foreign.caFile } })).rejects.toThrow(
      /verify|self.signed|unable/i,
    );
    await expect(migrate(options)).rejects.toThrow(/pg_hba.conf rejects/);
  });

  it.each(badCertificates)('rejects a server with a certificate %s', async (_name, issue, reason) => {
    await server.present(issue());
    try {
      await expect(open(client('postgres'))).rejects.toThrow(reason);
    } finally {
      await server.present(good);
    }
  });

  it('fails to connect with a client certificate of another role, or without one', async () => {
    await expect(open(client('merchant'))).rejects.toThrow(/certificate authentication failed/);
    await expect(open({ caFile: authority.caFile })).rejects.toThrow(/valid client certificate/);
    await expect(open({})).rejects.toThrow(/pg_hba.conf rejects/);
  });

  it('uses a replaced client certificate for the next connection', async () => {
    const files = client('postgres');
    const database = await open(files);
    const other = authority.issue({ commonName: 'merchant' });
    copyFileSync(other.certFile, files.certFile!);
    copyFileSync(other.keyFile, files.keyFile!);
    const held = await database.pool.connect();
    await expect(database.pool.query('SELECT 1')).rejects.toThrow(/certificate authentication failed/);
    held.release();
    await database.close();
  });
});

describe('SharedCache over TLS', () => {
  let server: TlsServer;
  beforeAll(async () => {
    server = await startTlsRedis(authority.caFile, good, 'secret');
  });
  afterAll(() => server?.remove());

  const open = (tls: TlsFiles, { scheme = 'rediss', host = 'localhost' } = {}) => {
    const errors: Error[] = [];
    const url = `${scheme}://:secret@${host}:${server.port}`;
    return { cache: new SharedCache(url, (error) => errors.push(error), tls), errors };
  };

  it.each([
    ['rediss', 'localhost'],
    ['rediss', '127.0.0.1'],
    ['redis', 'localhost'],
  ])('connects to %s://%s with certificates of the CA', async (scheme, host) => {
    const { cache, errors } = open(client('shop'), { scheme, host });
    await cache.set('key', 'value');
    expect([await cache.get('key'), errors]).toEqual(['value', []]);
    cache.close();
  });

  it.each(badCertificates)('rejects a server with a certificate %s', async (_name, issue, reason) => {
    await server.present(issue());
    const { cache, errors } = open(client('shop'), { host: '127.0.0.1' });
    try {
      await cache.set('key', 'value');
      expect(await cache.get('key')).toBeUndefined();
      expect(errors[0]!.message).toMatch(reason);
    } finally {
      cache.close();
      await server.present(good);
    }
  });

  it('uses a replaced client certificate at the next reconnect', async () => {
    const files = { caFile: authority.caFile, ...foreign.issue() };
    const { cache } = open(files);
    await cache.set('key', 'value');
    expect(await cache.get('key')).toBeUndefined();
    const valid = authority.issue();
    copyFileSync(valid.certFile, files.certFile);
    copyFileSync(valid.keyFile, files.keyFile);
    await eventually(async () => {
      await cache.set('key', 'value');
      expect(await cache.get('key')).toBe('value');
    });
    cache.close();
  });
});
