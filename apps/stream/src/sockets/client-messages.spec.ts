import { readClientMessage } from './client-messages';

const id = '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18';
const read = (message: unknown) =>
  readClientMessage(typeof message === 'string' ? message : JSON.stringify(message));

describe('readClientMessage', () => {
  it.each([
    [{ action: 'subscribe', transactionId: id }],
    [{ action: 'unsubscribe', transactionId: id }],
    [{ action: 'ping' }],
  ])('parses %j', (message) => {
    expect(read(message)).toEqual({ message });
  });

  it.each([
    ['', 'MALFORMED_JSON', 'The message is not valid JSON.'],
    ['{', 'MALFORMED_JSON', 'The message is not valid JSON.'],
    ['null', 'VALIDATION_ERROR', 'The message must be a JSON object.'],
    [[], 'VALIDATION_ERROR', 'The message must be a JSON object.'],
    [{}, 'VALIDATION_ERROR', 'The action must be one of subscribe, unsubscribe, ping.'],
    [{ action: 'toString' }, 'VALIDATION_ERROR', 'The action must be one of subscribe, unsubscribe, ping.'],
    [{ action: ['ping'] }, 'VALIDATION_ERROR', 'The action must be one of subscribe, unsubscribe, ping.'],
    [{ action: 'subscribe' }, 'VALIDATION_ERROR', 'The message is not valid: transactionId is missing.'],
    [
      { action: 'subscribe', transactionId: 7 },
      'VALIDATION_ERROR',
      'The message is not valid: transactionId must be a string.',
    ],
    [{ action: 'ping', and: 1 }, 'VALIDATION_ERROR', 'The message is not valid: and is not a known field.'],
  ])('rejects %j with a message', (message, code, sentence) => {
    expect(read(message)).toEqual({ rejection: { code, message: sentence } });
  });

  it('includes the id of a rejected message', () => {
    expect(read({ action: 'follow', transactionId: id }).rejection).toMatchObject({ transactionId: id });
  });

  it.each(['*', '>', `${id}.x`, `${id.slice(0, -1)}*`, id.toUpperCase(), ' '])(
    'rejects an id that is not a UUID without a request: %j',
    (transactionId) => {
      const rejection = { code: 'NOT_FOUND', message: 'The transactionId is unknown.' };
      expect(read({ action: 'subscribe', transactionId })).toEqual({ rejection });
    },
  );
});
