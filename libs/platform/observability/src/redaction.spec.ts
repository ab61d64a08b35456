import { DomainError } from '@tollbridge/rpc';
import { QueryFailedError } from 'typeorm';
import { withoutSecrets } from './redaction';

const secret = 'hunter2';

describe('withoutSecrets', () => {
  it.each([
    'password',
    'userPassword',
    'PASSWORD',
    'db_password',
    'passphrase',
    'secret',
    'clientSecret',
    'client_secret',
    'webhook-secret',
    'privateKey',
    'private_key',
    'PRIVATE-KEY',
    'apiKey',
    'api_key',
    'X-Api-Key',
    'x-api-key',
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'Cookie',
    'token',
    'accessToken',
    'refresh_token',
    'x-email-token',
    'emailToken',
    'purchaseToken',
    'session-token',
    'pan',
    'cardNumber',
    'card_number',
    'cvv',
    'CVV2',
    'cvc',
    'pin',
    'pinCode',
    'otp',
    'mnemonic',
    'seed',
    'pepper',
  ])('redacts the field %s at any depth', (name) => {
    expect(withoutSecrets({ [name]: secret })).toEqual({ [name]: '[redacted]' });
    expect(withoutSecrets({ a: { b: [{ c: { [name]: { value: secret } } }] } })).toEqual({
      a: { b: [{ c: { [name]: '[redacted]' } }] },
    });
  });

  it.each([
    'requestId',
    'traceId',
    'subject',
    'pay_token',
    'token_in_address',
    'settle_token',
    'tokens',
    'company',
    'panel',
    'pinned',
    'seeds',
    'key',
    'keyId',
    'principal',
    'signature',
    'spins',
  ])('shows the field %s', (name) => {
    expect(withoutSecrets({ [name]: 'shown' })).toEqual({ [name]: 'shown' });
  });

  it('leaves values of every type unchanged', () => {
    const at = new Date(0);
    const fields = {
      text: 'a',
      number: 1,
      flag: false,
      nothing: null,
      big: 1n,
      at,
      list: [1, 'b'],
      none: undefined,
    };
    expect(withoutSecrets(fields)).toEqual(fields);
  });

  it('does not change its input', () => {
    const fields = { request: { password: secret } };
    withoutSecrets(fields);
    expect(fields).toEqual({ request: { password: secret } });
  });

  it.each([
    [`nats://shop:${secret}@127.0.0.1:4222`, 'nats://shop:[redacted]@127.0.0.1:4222'],
    [
      `cannot reach postgres://u:${secret}@db/x or nats://v:${secret}@bus`,
      'cannot reach postgres://u:[redacted]@db/x or nats://v:[redacted]@bus',
    ],
    [`redis://:${secret}@cache`, 'redis://:[redacted]@cache'],
    ['https://api.example.com/a:b@c', 'https://api.example.com/a:b@c'],
    ['https://api.example.com:8443/path', 'https://api.example.com:8443/path'],
  ])('removes the password from %s', (text, shown) => {
    expect(withoutSecrets({ text })).toEqual({ text: shown });
  });

  it('removes the password from a URL object', () => {
    expect(withoutSecrets({ url: new URL(`https://u:${secret}@example.com/x`) })).toEqual({
      url: 'https://u:[redacted]@example.com/x',
    });
  });

  it('limits depth, lists and bytes', () => {
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    expect(JSON.stringify(withoutSecrets(circle))).toContain('[deeper]');
    expect(withoutSecrets({ list: Array(500).fill(0) })['list']).toHaveLength(100);
    expect(withoutSecrets({ bytes: Buffer.from(secret) })).toEqual({ bytes: '[7 bytes]' });
  });
});

describe('withoutSecrets of an error', () => {
  const described = (error: unknown) => withoutSecrets({ err: error })['err'] as Record<string, unknown>;

  it('keeps the type, the message and the stack', () => {
    expect(described(new TypeError('no'))).toEqual({
      type: 'TypeError',
      message: 'no',
      stack: expect.stringContaining('redaction.spec.ts'),
    });
  });

  it('keeps the table and constraint from PostgreSQL, but no values', () => {
    const detail = `Key (api_key)=(${secret}) already exists.`;
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      severity: 'ERROR',
      schema: 'shop',
      table: 'keys',
      constraint: 'keys_pkey',
      detail,
      where: secret,
      hint: secret,
      internalQuery: secret,
    });
    const shown = described(error);
    expect(shown).toMatchObject({ code: '23505', table: 'keys', constraint: 'keys_pkey' });
    expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it('omits the statement and its parameters', () => {
    const error = new QueryFailedError('INSERT INTO keys VALUES ($1)', [secret], new Error('duplicate key'));
    const shown = JSON.stringify(described(error));
    expect(shown).toContain('duplicate key');
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('INSERT');
  });

  it('keeps a limited number of causes', () => {
    const root = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: secret });
    const shown = described(
      new DomainError('SERVICE_UNAVAILABLE', undefined, { cause: root, details: { secret } }),
    );
    expect(shown).toMatchObject({
      type: 'DomainError',
      code: 'SERVICE_UNAVAILABLE',
      cause: { type: 'Error', code: 'ECONNREFUSED' },
    });
    expect(JSON.stringify(shown)).not.toContain(secret);
    const circular: Error & { cause?: unknown } = new Error('circular');
    circular.cause = circular;
    expect(JSON.stringify(described(circular)).match(/"message":"circular"/g)).toHaveLength(5);
  });

  it('keeps the errors of an AggregateError', () => {
    const shown = described(new AggregateError([new Error('first'), secret], 'both'));
    expect(shown).toMatchObject({ message: 'both', errors: [{ message: 'first' }, '[redacted]'] });
  });

  it('describes an error under any field name', () => {
    expect(
      withoutSecrets({ failure: Object.assign(new Error('no'), { detail: secret }) })['failure'],
    ).toMatchObject({
      message: 'no',
    });
  });
});
