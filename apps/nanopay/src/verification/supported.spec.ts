import { deploymentOf } from '@tollbridge/bootstrap';
import type { SupportedReply } from '@tollbridge/contracts';
import { callContext, callHandler, MemoryReplies, type Handler } from '@tollbridge/rpc';
import { readConfig } from '../config';
import { VerificationHandlers } from './verification.handlers';

const key = (digit: string): string => digit.repeat(64);
const official = { kinds: async () => ({ kinds: [], signers: [] }) };
const env = { TOLLBRIDGE_ENV: 'sandbox', NANOPAY_NATS_URL: 'nats://127.0.0.1' };

async function supportedWith(keys: string): Promise<SupportedReply> {
  const config = readConfig({ ...env, NANOPAY_RECEIPT_KEYS: keys });
  const deployed = { deployment: deploymentOf(config, 'https://api.example.com') };
  const unused = undefined as never;
  const handlers = new VerificationHandlers(
    unused,
    deployed as never,
    unused,
    official as never,
    unused,
    config,
  );
  const request = { json: Buffer.from('{}'), context: callContext(), replies: new MemoryReplies(Date.now) };
  const handler = handlers.getSupported.bind(handlers) as unknown as Handler;
  const outcome = await callHandler(handler, request);
  if (!outcome.ok) throw outcome.error;
  return outcome.output as SupportedReply;
}

describe('GET /supported', () => {
  it('publishes the keys of receipts while the key is being replaced, and none otherwise', async () => {
    expect((await supportedWith(`${key('a')},${key('b')}`)).receiptKeys).toEqual([key('a'), key('b')]);
    expect(await supportedWith('')).not.toHaveProperty('receiptKeys');
  });

  it.each(['ab', key('A'), `${key('a')},`, [key('a'), key('b'), key('c'), key('d')].join(',')])(
    'rejects the setting %s',
    (keys) =>
      expect(() => readConfig({ ...env, NANOPAY_RECEIPT_KEYS: keys })).toThrow(
        'NANOPAY_RECEIPT_KEYS must be one to three keys',
      ),
  );
});
