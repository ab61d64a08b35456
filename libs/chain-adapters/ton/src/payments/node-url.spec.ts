import { parseNodeUrl } from './node-url';

describe('parseNodeUrl', () => {
  it.each([
    ['https://toncenter.com/api/v2/jsonRPC', 'https://toncenter.com/', {}],
    ['https://key@toncenter.com/api/v2/jsonRPC', 'https://toncenter.com/', { 'x-api-key': 'key' }],
    ['https://user:k%2Fy@host/api/v2/jsonRPC', 'https://host/', { 'x-api-key': 'k/y' }],
    ['https://host/path-key/api/v2/jsonRPC', 'https://host/path-key', {}],
    ['https://host/api/v2/jsonRPC?api_key=key', 'https://host/?api_key=key', {}],
  ])('reads %s', (text, baseUrl, headers) => {
    expect(parseNodeUrl(text, 1)).toEqual({ baseUrl, headers });
  });

  it.each(['https://secret@host/api/v3', 'ws://host/api/v2/jsonRPC', 'https://host/secret'])(
    'rejects %s without quoting it',
    (text) => {
      const read = () => parseNodeUrl(text, 2);
      expect(read).toThrow('RPC URL number 2 of TON');
      expect(read).not.toThrow('secret');
    },
  );
});
