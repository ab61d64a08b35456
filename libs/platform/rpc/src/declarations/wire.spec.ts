import { MsgHdrsImpl, headers as natsHeaders, type MsgHdrs } from 'nats';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import type { Claim, StoredReply } from '../calls/idempotency';
import {
  decodeHead,
  decodeFailure,
  encodeContext,
  failureHeader,
  failureHeaders,
  failureOf,
  replyOf,
  readFirstAnswer,
  storedReplyHeaders,
} from './wire';

const context: CallContext = {
  requestId: 'request-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  principal: 'key:tb_test_pk_1',
};

const unsigned = () => 'signature';
const bytesOf = (headers: MsgHdrs) => (headers as MsgHdrsImpl).encode();

/** Returns the headers as decoded by nats.js. */
const received = (sent: CallContext) => MsgHdrsImpl.decode(bytesOf(encodeContext(sent, false, unsigned)));

describe('encodeContext and decodeHead', () => {
  it('round-trip the context', () => {
    expect(decodeHead({ headers: received(context) }).context).toEqual(context);
  });

  it('include the idempotency key, but not the claim', () => {
    const keyed = { ...context, idempotencyKey: 'abc_-1' };
    expect(decodeHead({ headers: received(keyed) }).context).toEqual(keyed);
    const serving = { ...context, claim: {} as Claim };
    expect(decodeHead({ headers: received(serving) }).context).toEqual(context);
    expect(() =>
      encodeContext({ ...context, idempotencyKey: 'x\r\ntb-principal: admin' }, false, unsigned),
    ).toThrow('printable ASCII');
  });

  it('produce the same bytes as the headers of nats.js', () => {
    const own = natsHeaders();
    own.append('x-request-id', context.requestId);
    own.append('traceparent', context.traceparent);
    own.append('tb-principal', context.principal);
    own.append('tb-signature', 'signature');
    expect(bytesOf(encodeContext(context, false, unsigned))).toEqual(bytesOf(own));
  });

  it('include the network of the caller, and reject a network that injects a header', () => {
    const known = { ...context, caller: '192.0.2.0/24' };
    expect(decodeHead({ headers: received(known) }).context).toEqual(known);
    for (const caller of ['x\r\ntb-principal: admin', ' x'])
      expect(() => encodeContext({ ...context, caller }, false, unsigned)).toThrow('printable ASCII');
  });

  const injected = 'x\r\ntb-principal: admin';
  it.each([
    ['the request id', { requestId: injected }],
    ['the trace', { traceparent: injected }],
    ['the principal', { principal: injected }],
    ['a lone carriage return', { principal: 'x\radmin' }],
    ['a lone line feed', { principal: 'x\nadmin' }],
    ['a NUL', { principal: 'x\0admin' }],
    ['a space, which the reader would trim', { principal: ' admin' }],
    ['letters that only look alike', { principal: 'аdmin' }],
  ])('reject header injection by %s', (_where, change) => {
    expect(() => encodeContext({ ...context, ...change }, false, unsigned)).toThrow('printable ASCII');
  });

  it('use the principal public by default', () => {
    expect(decodeHead({}).context.principal).toBe('public');
    expect(decodeHead({ headers: received({ ...context, principal: '' }) }).context.principal).toBe('public');
  });

  it('replace an invalid request id and trace', () => {
    const headers = natsHeaders();
    headers.set('x-request-id', 'no');
    headers.set('traceparent', 'no');
    const read = decodeHead({ headers }).context;
    expect(read).toEqual({ ...callContext(read), principal: 'public' });
    expect(read.requestId).toMatch(/^req_/);
  });
});

describe('storedReplyHeaders and readFirstAnswer', () => {
  const reply: StoredReply = { bytes: Buffer.from('{}'), failure: null, answeredAtMs: 1_700_000_000_123 };
  const firstOf = (sent: StoredReply, isReplayed: boolean) =>
    readFirstAnswer(MsgHdrsImpl.decode(bytesOf(storedReplyHeaders(sent, isReplayed))));

  it('include the time of the first answer, and whether the reply is a replay', () => {
    expect(firstOf(reply, false)).toEqual({ answeredAtMs: reply.answeredAtMs, isReplayed: false });
    expect(firstOf(reply, true)).toEqual({ answeredAtMs: reply.answeredAtMs, isReplayed: true });
  });

  it('include the code of a failure', () => {
    const headers = storedReplyHeaders({ ...reply, failure: 'CONFLICT' }, true);
    expect(headers.get(failureHeader)).toBe('CONFLICT');
  });

  it('ignore an invalid time', () => {
    const headers = natsHeaders();
    expect(readFirstAnswer(headers)).toBeUndefined();
    headers.set('tb-answered-at', '1","x":"');
    expect(readFirstAnswer(headers)).toBeUndefined();
  });
});

describe('failureOf and decodeFailure', () => {
  const sent = (error: DomainError) => Buffer.from(JSON.stringify(failureOf(error)));

  it('include the code, message and details', () => {
    const details = [{ field: 'amount', message: 'is missing' }];
    const error = decodeFailure(sent(new DomainError('VALIDATION_ERROR', 'Not valid.', { details })));
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'Not valid.', details });
  });

  it('include retryAfterSeconds only as a whole number', () => {
    const error = decodeFailure(
      sent(new DomainError('RATE_LIMIT_EXCEEDED', 'Later.', { retryAfterSeconds: 60 })),
    );
    expect(error.retryAfterSeconds).toBe(60);
    for (const odd of ['"1\\r\\nx: y"', '1.5', 'null', '{}']) {
      const text = `{"code":"CONFLICT","message":"x","retryAfterSeconds":${odd}}`;
      expect(decodeFailure(Buffer.from(text))).toMatchObject({
        code: 'CONFLICT',
        retryAfterSeconds: undefined,
      });
    }
  });

  it('include the id of the first request of a stored failure', () => {
    const { bytes } = replyOf(new DomainError('CONFLICT'), 'request-1');
    const first = { answeredAtMs: 1, isReplayed: true };
    expect(decodeFailure(bytes, first).first).toEqual({ ...first, requestId: 'request-1' });
    const older = sent(new DomainError('CONFLICT'));
    expect(decodeFailure(older, first).first).toEqual(first);
  });

  it('omit the cause', () => {
    const error = new DomainError('CONFLICT', undefined, { cause: new Error('SELECT secret FROM keys') });
    expect(sent(error).toString()).not.toContain('secret');
  });

  it('mark a failure with a header', () => {
    expect(failureHeaders('CONFLICT').get(failureHeader)).toBe('CONFLICT');
  });

  it.each([
    ['text that is not JSON', 'not json'],
    ['an empty text', ''],
    ['null', 'null'],
    ['an unknown code', '{"code":"NEW_CODE","message":"New."}'],
    ['a name on the prototype of every object', '{"code":"constructor","message":"x"}'],
    ['another such name', '{"code":"__proto__","message":"x"}'],
    ['no code', '{"message":"x"}'],
  ])('decode %s as an internal error', (_case, text) => {
    expect(decodeFailure(Buffer.from(text))).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
  });
});
