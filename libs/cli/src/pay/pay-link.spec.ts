import { createClient } from '@tollbridge/sdk';
import { FakeApi, type FakeReply } from '../testing/fake-api';
import { untilVerified } from './pay-link';

const hash = `0x${'ab'.repeat(32)}`;

async function submitted(...replies: FakeReply['body'][]): Promise<number> {
  const api = await FakeApi.start(() => ({ body: replies.shift() }));
  try {
    const client = createClient({ baseUrl: api.url });
    await untilVerified({ client, terminal: { signal: new AbortController().signal } }, 'link', hash);
    return api.requests.length;
  } finally {
    await api.close();
  }
}

it('a payment of a PayLink is submitted until it is verified', async () => {
  const pending = { success: false, verified: false, status: 'pending' };
  expect(await submitted(pending, pending, { success: true, verified: true })).toBe(3);
});

it('a rejected payment is not submitted again', async () => {
  const error = 'The transaction is older than the PayLink.';
  const rejected = submitted({ success: false, verified: false, error });
  await expect(rejected).rejects.toThrow(`The payment is rejected: ${error}`);
  const late = submitted({ success: false, verified: true, status: 'inactive', error: 'It was off.' });
  await expect(late).rejects.toThrow('The payment is inactive: It was off.');
});
