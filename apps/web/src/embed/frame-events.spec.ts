import { followFrame, type EmbedEvent } from './frame-events';

const origin = 'https://pay.example';
const frame = {} as Window;
let receive: (message: object) => void;
let received: EmbedEvent[];
let stop: () => void;

beforeEach(() => {
  received = [];
  Object.assign(globalThis, {
    addEventListener: (_name: string, listener: typeof receive) => (receive = listener),
    removeEventListener: () => (receive = () => undefined),
  });
  stop = followFrame(frame, origin, (event) => received.push(event));
});

// Other test files of this process share the globals.
afterEach(() => {
  for (const name of ['addEventListener', 'removeEventListener']) Reflect.deleteProperty(globalThis, name);
});

const send = (event: unknown, changes: object = {}) =>
  receive({ source: frame, origin, data: { tollbridge: 1, event }, ...changes });
const types = () => received.map(({ type }) => type);

describe('followFrame', () => {
  it('forwards the events of its frame', () => {
    send({ type: 'opened', payment_id: null });
    send({ type: 'resized', height: 700 });
    send({ type: 'submitted', payment_id: 'p' });
    send({ type: 'completed', payment_id: 'p', amount: '1' });
    expect(types()).toEqual(['opened', 'resized', 'submitted', 'completed']);
    expect(received[3]).toMatchObject({ amount: '1' });
  });

  it.each([
    ['of another window', { source: {} }],
    ['of another origin', { origin: 'https://pay.example.evil' }],
    ['of an opaque origin', { origin: 'null' }],
    ['without the member tollbridge', { data: { event: { type: 'completed' } } }],
    ['without an event', { data: { tollbridge: 1 } }],
    ['that is null', { data: null }],
    ['of an unknown type', { data: { tollbridge: 1, event: { type: 'paid' } } }],
  ])('ignores a message %s', (_title, changes) => {
    send({ type: 'completed', payment_id: 'p' }, changes);
    expect(received).toEqual([]);
  });

  it('forwards a state once, although each page of the checkout reports it', () => {
    for (const payment_id of [null, null, 'p']) send({ type: 'opened', payment_id });
    for (const payment_id of ['p', 'p', 'q']) send({ type: 'expired', payment_id });
    send({ type: 'opened', payment_id: 'r' });
    for (let at = 0; at < 2; at++) send({ type: 'completed', payment_id: 'r' });
    expect(types()).toEqual(['opened', 'expired', 'expired', 'completed']);
  });

  it('forwards nothing after its end', () => {
    stop();
    send({ type: 'completed', payment_id: 'p' });
    expect(received).toEqual([]);
  });
});
