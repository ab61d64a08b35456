import { parseRpcUrl } from './rpc-url';

describe('parseRpcUrl', () => {
  it.each([
    ['http://localhost:8545', '#1 http://localhost:8545'],
    ['https://base.example/v2/s3cr3tkey0123456', '#1 https://base.example/…'],
    ['https://base.example/?apikey=s3cr3tkey0123456', '#1 https://base.example/…'],
    ['https://user:s3cr3tkey0123456@base.example', '#1 https://base.example'],
    ['https://base.example/#s3cr3tkey0123456', '#1 https://base.example'],
  ])('reduces %s to the label %s', (url, label) => {
    expect(parseRpcUrl(url, 1).label).toBe(label);
  });

  it('drops the fragment, which is not sent in requests', () => {
    expect(parseRpcUrl('https://base.example/rpc#s3cr3t', 1).href).toBe('https://base.example/rpc');
  });

  it('moves user and password out of the URL, because fetch rejects them there', () => {
    const url = parseRpcUrl('https://us%40er:pa%3Ass@base.example/rpc', 1);
    expect(url.href).toBe('https://base.example/rpc');
    expect(url.headers['authorization']).toBe(`Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`);
  });

  it('redacts every part that may be a key, longest first', () => {
    const url = parseRpcUrl('https://us%40er:pass@base.example/v2/abcdefgh12345678?key=abcdefgh', 1);
    const basic = Buffer.from('us@er:pass').toString('base64');
    const message = `v2 of us@er or us%40er with pass, abcdefgh12345678, key=abcdefgh, abcdefgh and Basic ${basic}`;
    expect(url.withoutSecrets(message)).toBe('v2 of … or … with …, …, …, … and Basic …');
  });

  it.each(['not a url with s3cr3t', 'ftp://s3cr3t.example', 'ws://s3cr3t.example', 'https://s3cr3t:x@', ''])(
    'rejects %j without quoting it',
    (text) => {
      let rejection: unknown;
      try {
        parseRpcUrl(text, 3);
      } catch (error) {
        rejection = error;
      }
      expect(rejection).toEqual(new TypeError('RPC URL number 3 is not an http(s) URL'));
      expect(JSON.stringify(rejection, Object.getOwnPropertyNames(rejection))).not.toContain('s3cr3t');
    },
  );
});
