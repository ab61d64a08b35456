import { callContext, keyIdOf, keyPrincipal, logFields, ownerOf, traceIdOf } from './call-context';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('callContext', () => {
  it('accepts a well-formed request id and trace', () => {
    expect(callContext({ requestId: 'order-12345_A', traceparent, principal: 'key:1' })).toEqual({
      requestId: 'order-12345_A',
      traceparent,
      principal: 'key:1',
    });
  });

  it('generates missing ids', () => {
    const context = callContext();
    expect(context.requestId).toMatch(/^req_[0-9a-f]{24}$/);
    expect(context.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(context.principal).toBe('public');
  });

  it.each([
    ['too short', '1234567'],
    ['too long', 'a'.repeat(65)],
    ['with a space', 'request 12'],
    ['with a line break', 'request1\r\ntb-principal: admin'],
    ['with a trailing line break', 'request1\n'],
    ['a list', ['request1', 'request2']],
    ['a number', 12345678],
  ])('replaces a request id that is %s', (_case, requestId) => {
    expect(callContext({ requestId }).requestId).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it.each([
    ['of another version', traceparent.replace(/^00/, '01')],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['with a span id of zeros', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`],
    ['in upper case', traceparent.toUpperCase()],
    ['with extra characters at its end', `${traceparent}-extra`],
    ['with a trailing line break', `${traceparent}\n`],
    ['a list', [traceparent]],
  ])('replaces a trace that is %s', (_case, given) => {
    const context = callContext({ traceparent: given });
    expect(context.traceparent).not.toBe(given);
    expect(context.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it('never generates the same id twice', () => {
    // More ids than one block of random bytes can provide, so that the block is refilled several times.
    const made = Array.from({ length: 2_000 }, () => callContext());
    expect(new Set(made.map(({ requestId }) => requestId)).size).toBe(2_000);
    expect(new Set(made.map(traceIdOf)).size).toBe(2_000);
  });

  it('returns the request id and the trace id as log fields', () => {
    expect(logFields(callContext({ requestId: 'request-1', traceparent }))).toEqual({
      requestId: 'request-1',
      traceId: '0af7651916cd43dd8448eb211c80319c',
    });
  });
});

describe('keyIdOf and ownerOf', () => {
  it.each(['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0:6f9e2b', 'UQAb-_=='])(
    'returns the key id and the owner %s',
    (owner) => {
      const context = callContext({ principal: keyPrincipal('0198f3a2', owner) });
      expect([keyIdOf(context), ownerOf(context)]).toEqual(['0198f3a2', owner]);
    },
  );

  it.each(['public', '', 'key:', 'key:1', 'key:1:', 'key::owner', 'monkey:1:owner'])(
    'returns undefined for %j',
    (principal) => {
      expect([keyIdOf({ principal }), ownerOf({ principal })]).toEqual([undefined, undefined]);
    },
  );
});
