import { queryClient, sessionKey } from '../api/query-client';
import { signIn } from './session';

const session = {
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  expiresAt: '2026-12-01T00:00:00.000Z',
};

afterEach(() => {
  queryClient.clear();
  jest.restoreAllMocks();
});

describe('signing in', () => {
  it('ignores the reply of an earlier session check', async () => {
    let replyWithoutSession!: (none: null) => void;
    const check = queryClient.fetchQuery({
      queryKey: sessionKey,
      queryFn: () => new Promise<null>((resolve) => (replyWithoutSession = resolve)),
    });
    check.catch(() => undefined);
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(session));
    await signIn({});
    replyWithoutSession(null);
    await new Promise((resolve) => setImmediate(resolve));
    expect(queryClient.getQueryData(sessionKey)).toEqual(session);
  });
});
