import { nodeUrl } from './node-url';

describe('nodeUrl', () => {
  it.each([
    ['https://api.trongrid.io', 'https://api.trongrid.io/jsonrpc'],
    ['https://api.trongrid.io/', 'https://api.trongrid.io/jsonrpc'],
    ['https://nodes.example/tron/', 'https://nodes.example/tron/jsonrpc'],
    ['https://nodes.example/tron?token=abcdef', 'https://nodes.example/tron/jsonrpc?token=abcdef'],
  ])('appends the path to %s', (base, href) => {
    expect(nodeUrl(base, 1, 'jsonrpc')).toMatchObject({ href, headers: {} });
  });

  it.each(['https://secret-key@api.trongrid.io', 'https://:secret-key@api.trongrid.io'])(
    'sends the key of %s as the header of TronGrid, and hides it elsewhere',
    (base) => {
      const { href, headers, label, withoutSecrets } = nodeUrl(base, 2, 'wallet/getnowblock');
      expect(headers).toEqual({ 'TRON-PRO-API-KEY': 'secret-key' });
      expect(href).toBe('https://api.trongrid.io/wallet/getnowblock');
      expect(label).not.toContain('secret-key');
      expect(withoutSecrets('wrong key secret-key')).toBe('wrong key …');
    },
  );

  it('identifies an invalid URL only by its position', () => {
    expect(() => nodeUrl('ftp://secret-key@host', 3, 'jsonrpc')).toThrow('RPC URL number 3');
  });
});
