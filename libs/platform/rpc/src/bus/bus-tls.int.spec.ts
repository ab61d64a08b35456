import { copyFileSync } from 'node:fs';
import { BusConnection, type TlsFiles } from './bus-connection';
import { closing } from '../testing/closing';
import { eventually, startTlsNats, TestAuthority, type TlsServer } from '../testing/servers';
import { randomApp } from '../testing/shop';

const { closeLater, closeAll } = closing();
const [authority, foreign] = [new TestAuthority(), new TestAuthority()];
const good = authority.issue();
let server: TlsServer;

beforeAll(async () => {
  server = await startTlsNats(authority.caFile, good, '{ user: shop, password: secret }');
});
afterEach(closeAll);
afterAll(async () => {
  await server?.remove();
  authority.remove();
  foreign.remove();
});

const client = (): TlsFiles => ({ caFile: authority.caFile, ...authority.issue({ commonName: 'shop' }) });
const open = async (tls: TlsFiles, { scheme = 'tls', host = 'localhost', firstConnectMs = 3_000 } = {}) => {
  const url = `${scheme}://shop:secret@${host}:${server.port}`;
  return closeLater(await BusConnection.open({ app: randomApp(), url, tls, firstConnectMs }));
};

describe('BusConnection over TLS', () => {
  it.each(['localhost', '127.0.0.1'])('connects to %s with certificates of the CA', async (host) => {
    expect((await open(client(), { host })).isConnected).toBe(true);
    expect((await open(client(), { host, scheme: 'nats' })).isConnected).toBe(true);
  });

  it.each([
    ['of a foreign CA', () => foreign.issue(), /verify|self.signed|unable/i],
    ['that has expired', () => authority.issue({ days: -1 }), /expired/],
    ['of another host', () => authority.issue({ names: 'DNS:other.example,IP:10.0.0.1' }), /altnames/],
  ])('rejects a server with a certificate %s immediately', async (_name, issue, reason) => {
    await server.present(issue());
    try {
      const begunMs = performance.now();
      const firstConnectMs = 60_000;
      await expect(open(client(), { firstConnectMs })).rejects.toThrow(reason);
      await expect(open(client(), { firstConnectMs, host: '127.0.0.1' })).rejects.toThrow(reason);
      expect(performance.now() - begunMs).toBeLessThan(20_000);
    } finally {
      await server.present(good);
    }
  });

  it('rejects a certificate of localhost from a server that is addressed by its IP', async () => {
    await server.present(authority.issue({ names: 'DNS:localhost' }));
    try {
      await expect(open(client(), { host: '127.0.0.1' })).rejects.toThrow(/altnames/);
      expect((await open(client())).isConnected).toBe(true);
    } finally {
      await server.present(good);
    }
  });

  it('fails to connect without a valid client certificate', async () => {
    const files: TlsFiles[] = [{}, foreign.issue(), authority.issue({ days: -1 })];
    const attempts = files.map((own) => open({ caFile: authority.caFile, ...own }, { firstConnectMs: 0 }));
    const results = await Promise.allSettled(attempts);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((await open(client())).isConnected).toBe(true);
  });

  it('uses a replaced client certificate at the next reconnect', async () => {
    const files = client();
    const bus = await open(files);
    const expired = authority.issue({ days: -1 });
    const use = ({ certFile, keyFile }: { certFile: string; keyFile: string }): void => {
      copyFileSync(certFile, files.certFile!);
      copyFileSync(keyFile, files.keyFile!);
    };
    use(expired);
    await server.present(good);
    await eventually(() => expect(bus.isConnected).toBe(false));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(bus.isConnected).toBe(false);
    use(authority.issue({ commonName: 'shop' }));
    await eventually(() => expect(bus.isConnected).toBe(true));
  });
});
