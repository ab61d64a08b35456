import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Payment } from './payment';
import { isSameCall, LiveNonces } from './live-nonces';

const payment = (): Payment =>
  ({
    confirmationId: randomBytes(16),
    callKey: randomBytes(16),
    digest: randomBytes(32),
    payer: randomBytes(32).toString('latin1'),
    nonce: randomBytes(32),
    validBeforeS: 1n,
  }) as Payment;

describe('LiveNonces', () => {
  it('stores only the call of a finished payment', () => {
    const [nonces, done] = [new LiveNonces(), payment()];
    nonces.add(done);
    expect(nonces.find(done.payer, done.nonce)).toBe(done);
    nonces.settle(done);
    const known = nonces.find(done.payer, done.nonce)!;
    expect(isSameCall(known, done)).toBe(true);
    expect(isSameCall(known, { ...done, callKey: randomBytes(16) })).toBe(false);
    expect(isSameCall(known, { ...done, confirmationId: randomBytes(16) })).toBe(false);
  });

  it('keeps no reference to buffers of the request', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const nonces = new LiveNonces();
    const remember = (count: number): void => {
      for (let each = 0; each < count; each++) {
        const done = payment();
        nonces.add(done);
        // Fills the slabs of the payment's buffers with short-lived buffers.
        for (let other = 0; other < 20; other++) Buffer.from('what is short does not live for long');
        nonces.settle(done);
      }
    };
    const used = (): number => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    remember(1_000);
    const before = used();
    const count = 20_000;
    remember(count);
    // 4,000,000 entries must fit into the heap.
    expect((used() - before) / count).toBeLessThan(500);
    expect(nonces.size).toBe(count + 1_000);
  });
});
