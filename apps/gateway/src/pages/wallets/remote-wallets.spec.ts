import { rendererFixture } from '../../testing/renderer-fixture';
import { html } from '../parts/html';
import { readTonWallets } from './ton-wallets';

const page = { title: 'Pay', body: html``, enhancement: { kind: 'choice' } };
const connectOf = (settings: object) =>
  /connect-src ([^;]*);/.exec(rendererFixture(settings).policyOf(page))![1];

const relay = { GATEWAY_WALLETCONNECT_RELAY_URL: 'wss://relay.example/path' };
const ton = 'Pocket Wallet https://pocket.example/ton-connect https://bridge.example/bridge/';

describe('the policy of a page', () => {
  it('allows no other server by default, even with the URL of a relay', () => {
    expect(connectOf(relay)).toBe("'self'");
  });

  it('allows exactly the relay with a project id, and exactly the bridges', () => {
    const settings = { ...relay, GATEWAY_WALLETCONNECT_PROJECT_ID: 'p', GATEWAY_TON_WALLETS: ton };
    expect(connectOf(settings)).toBe("'self' wss://relay.example https://bridge.example/bridge/");
    expect(rendererFixture(settings).policyOf({})).not.toContain('connect-src');
  });

  it('passes the wallets to the script', () => {
    const text = rendererFixture({ GATEWAY_TON_WALLETS: ton }).render(page);
    expect(text).toContain('&quot;bridgeUrl&quot;:&quot;https://bridge.example/bridge&quot;');
    expect(text).not.toContain('walletConnect');
  });
});

describe('readTonWallets', () => {
  it('reads names, universal URLs and bridges', () => {
    expect(readTonWallets(`${ton}; Local http://127.0.0.1:1/a http://127.0.0.1:1/b;`)).toEqual([
      {
        name: 'Pocket Wallet',
        universalUrl: 'https://pocket.example/ton-connect',
        bridgeUrl: 'https://bridge.example/bridge',
      },
      { name: 'Local', universalUrl: 'http://127.0.0.1:1/a', bridgeUrl: 'http://127.0.0.1:1/b' },
    ]);
    expect(readTonWallets('')).toEqual([]);
  });

  it.each([
    'Pocket https://pocket.example',
    'https://pocket.example https://bridge.example',
    'Pocket https://pocket.example http://bridge.example',
    'Pocket javascript:alert(1) https://bridge.example',
    "Pocket https://pocket.example https://bridge.example/,'unsafe-inline'",
    'Pocket https://pocket.example https://*.example/',
  ])('rejects %s', (value) => expect(() => readTonWallets(value)).toThrow('NAME UNIVERSAL_URL BRIDGE_URL'));
});
