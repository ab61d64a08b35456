import {
  apiKeysApi,
  authApi,
  internalSessionsApi,
  type CreateKeyReply,
  type VerifyRequest,
} from '@tollbridge/contracts';
import { digestOfKey, newKeyText } from '@tollbridge/api-keys';
import type { RunningService } from '@tollbridge/bootstrap';
import { transaction } from '@tollbridge/database';
import { idempotencyKeyOf, walletPrincipal } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { Merchant, pepper as former, type MadeKey } from '../testing/merchant';
import { WebhookEndpointsRepository } from '../webhooks/webhook-endpoints.repository';
import { WebhookSecrets } from '../webhooks/webhook-secrets';
import { PepperRotation } from './pepper-rotation.worker';

const next = 'the-next-pepper-of-the-tests-0123456789';
const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const { createKey, regenerateKey } = apiKeysApi.operations;
let merchant: Merchant;

beforeAll(async () => {
  merchant = await Merchant.start();
});
afterAll(() => merchant?.close());

const current = (): RunningService => merchant.apps.at(-1)!;
const get = <T>(token: new (...given: never[]) => T): T => current().context.get(token, { strict: false });
const authenticateToken = (token: string) =>
  merchant.call(internalSessionsApi.operations.authenticate, { digest: digestOfKey(token) });

/** Starts a new replica before the former one stops, as in a rolling restart. */
async function roll(pepper: string): Promise<void> {
  const stopped = merchant.apps.splice(0);
  await merchant.startApp({ MERCHANT_KEY_PEPPER: pepper });
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (const app of stopped) await app.close();
}

async function signedChallenge(wallet = Wallet.createRandom()): Promise<VerifyRequest> {
  const { nonce, message } = await merchant.call(authApi.operations.createChallenge, {
    wallet: wallet.address,
  });
  return { wallet: wallet.address, nonce, message: message!, signature: await wallet.signMessage(message!) };
}

const verify = (request: VerifyRequest) =>
  merchant.callFrom('192.0.2.0/24', authApi.operations.verifyChallenge, request);

/** Uses keys and a session in a loop until stopped, and collects every failure. */
function startTraffic(keys: readonly MadeKey[], token: string) {
  const failures: unknown[] = [];
  let [requests, isStopped] = [0, false];
  const use = async (work: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) {
      requests += 1;
      const result = await work().catch((error: unknown) => error);
      if (typeof result !== 'object' || result instanceof Error) failures.push(result);
    }
  };
  const signIn = async (): Promise<unknown> => verify(await signedChallenge());
  const loops = [
    ...keys.map(({ secret }) => use(() => merchant.authenticate(secret))),
    ...keys.map(({ key }) => use(() => merchant.authenticate(key))),
    use(() => authenticateToken(token)),
    use(signIn),
  ];
  return {
    /** Resolves after this number of further requests. */
    another(count: number): Promise<void> {
      const wanted = requests + count;
      return eventually(() => expect(requests).toBeGreaterThanOrEqual(wanted));
    },
    async stop() {
      isStopped = true;
      await Promise.all(loops);
      return { requests, failures };
    },
  };
}

/** The webhook secrets of the wallet in plain text: the current and the former one. */
async function webhookSecrets(): Promise<(string | undefined)[]> {
  const { secret, previousSecret } = (await get(WebhookEndpointsRepository).find(owner))!;
  const secrets = get(WebhookSecrets);
  return [secret, previousSecret!].map((sealed) => secrets.open(sealed, owner));
}

async function outdated(): Promise<Record<string, number>> {
  await get(PepperRotation).step();
  const metric = current().metrics.registry.getSingleMetric('tollbridge_secrets_on_former_pepper')!;
  const { values } = await metric.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['kind']), value]));
}

const makeKeyWithGrace = async (): Promise<{ former: string; secret: string }> => {
  const made = await merchant.makeKey();
  const request = { id: made.id, gracePeriodSeconds: 3_600 };
  const { secret } = await merchant.call(regenerateKey, request, walletPrincipal(owner));
  return { former: made.secret, secret };
};

async function addWebhookEndpoint(): Promise<void> {
  const endpoints = get(WebhookEndpointsRepository);
  await transaction(current().database!.pool, (client) =>
    endpoints.syncEndpoint(client, owner, 'https://shop.example/hooks'),
  );
  const times = { createdAt: new Date().toISOString(), previousSecretUntil: '2100-01-01T00:00:00Z' };
  await endpoints.rotate(owner, { secret: get(WebhookSecrets).create(), ...times }, async () => undefined);
}

describe('a rotation of MERCHANT_KEY_PEPPER', () => {
  it('fails no request, and moves keys, sessions and webhook secrets to the new pepper', async () => {
    const [used, unused] = [
      await Promise.all(Array.from({ length: 4 }, () => merchant.makeKey())),
      await merchant.makeKey(),
    ];
    const graced = await makeKeyWithGrace();
    // Restores the row as an earlier release stored it, before the column existed.
    await merchant.database.query('UPDATE api_keys SET pepper_id = NULL WHERE id = $1', [used[0]!.id]);
    const { token } = await verify(await signedChallenge());
    const challenge = await signedChallenge();
    await addWebhookEndpoint();
    const webhooks = await webhookSecrets();
    const idempotencyKey = idempotencyKeyOf(owner, 'rotation');
    const input = { label: 'Shop', permissions: ['read'] } as never;
    const create = (): Promise<CreateKeyReply> =>
      merchant.call(createKey, input, walletPrincipal(owner), idempotencyKey);
    const created = await create();

    const traffic = startTraffic(used, token);
    await roll(`${former},${next}`);
    expect(await create()).toEqual(created);
    await roll(`${next},${former}`);
    // The challenge was issued under the former pepper, and is verified under the new one.
    await verify(challenge);
    expect(await create()).toEqual(created);
    expect(await webhookSecrets()).toEqual(webhooks);
    // Three keys are left: the unused one, the one with a grace period, and the one created with an idempotency key.
    await eventually(async () => expect(await outdated()).toMatchObject({ api_key: 3, webhook: 0 }));
    for (const secret of [unused.secret, graced.former, graced.secret, created.secret])
      expect(await merchant.authenticate(secret)).toMatchObject({ owner });
    expect(await outdated()).toMatchObject({ api_key: 0, webhook: 0 });
    await merchant.database.query('UPDATE wallet_sessions SET revoked_at = now() WHERE wallet <> $1', [
      (await authenticateToken(token)).wallet,
    ]);
    expect(await outdated()).toEqual({ api_key: 0, webhook: 0, session: 0 });
    await roll(next);
    await traffic.another(100);
    const { requests, failures } = await traffic.stop();

    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(200);
    for (const { secret } of [...used, unused, { secret: graced.former }, graced, created])
      expect(await merchant.authenticate(secret)).toMatchObject({ owner });
    expect(await webhookSecrets()).toEqual(webhooks);
    const [row] = await merchant.database.query(
      'SELECT count(DISTINCT pepper_id)::int AS names FROM api_keys',
    );
    expect(row).toEqual({ names: 1 });
  });

  it('rejects and reports secrets under a pepper that is not configured any more', async () => {
    const made = await merchant.makeKey();
    await roll('a-pepper-that-was-never-used-before-0123');
    expect(await merchant.authenticate(made.secret)).toBe('unknown');
    expect(await merchant.authenticate(made.key)).toMatchObject({ keyId: made.id });
    expect(await merchant.authenticate(newKeyText('test', 'secret'))).toBe('unknown');
    const metric = current().metrics.registry.getSingleMetric('tollbridge_secrets_on_former_pepper')!;
    const { values } = await metric.get();
    expect(values.find(({ labels }) => labels['kind'] === 'api_key')!.value).toBeGreaterThan(0);
  });
});
