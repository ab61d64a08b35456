import { toApiError } from './api-error';
import { curlOf } from './curl';

describe('toApiError', () => {
  it('parses a failure with its fields', () => {
    const details = [{ field: 'amount', message: 'must be positive' }];
    const error = toApiError(
      400,
      { error: 'No.', code: 'VALIDATION_ERROR', details, request_id: 'req_1' },
      null,
    );
    expect(error).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'No.',
      requestId: 'req_1',
      fields: { amount: 'Must be positive' },
    });
  });

  it('parses a failure in an envelope', () => {
    const error = { code: 'NOT_FOUND', message: 'None.', details: {}, request_id: 'req_2' };
    expect(toApiError(404, { success: false, error }, null)).toMatchObject({
      code: 'NOT_FOUND',
      message: 'None.',
      requestId: 'req_2',
      fields: {},
    });
  });

  it.each([undefined, null, 'Bad gateway', { error: null }, { details: [{ field: 1 }, null] }])(
    'reads the request id from the header for the body %j',
    (body) => {
      expect(toApiError(502, body, 'req_3')).toMatchObject({
        status: 502,
        code: 'UNKNOWN',
        requestId: 'req_3',
      });
    },
  );
});

describe('curlOf', () => {
  it('quotes the body for a shell', () => {
    const call = { method: 'POST', path: '/api/paylinks', body: { name: "Bob's $(tea)" } } as const;
    expect(curlOf(call, 'https://api.example.com')).toBe(
      `curl -X POST 'https://api.example.com/api/paylinks' \\
  -H "Authorization: Bearer $TOLLBRIDGE_SECRET" \\
  -H 'content-type: application/json' \\
  -d '{"name":"Bob'\\''s $(tea)"}'`,
    );
  });

  it('contains the wallet header with a session, and no credential for a public operation', () => {
    expect(curlOf({ path: '/api/keys', auth: 'session', wallet: '0xA' }, 'http://g')).toContain(
      "-H 'x-wallet: 0xA'",
    );
    expect(curlOf({ path: '/stats', auth: 'none' }, 'http://g')).toBe("curl 'http://g/stats'");
  });
});
