import {
  getSandbox,
  getWebhookEndpoint,
  listChains,
  listSupportedPayments,
  toResult,
  type SandboxReply,
} from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { clientOf, loginCommand } from '../session';
import { checkSandbox } from './check-sandbox';
import { fail, ok, warn, type Finding } from './finding';

type Context = Pick<CommandContext, 'client' | 'session'>;

const timeoutMs = 10_000;
const toleratedSkewMs = 5_000;
/** With a larger clock difference, signatures and webhooks are rejected. */
const largestSkewMs = 60_000;

/** Checks a deployment from outside, with its public routes and the key of the profile. */
export async function* checkDeployment(context: Context): AsyncGenerator<Finding> {
  const { url } = context.session;
  const live = await checkGateway(url);
  yield* live;
  if (live.some(({ result }) => result === 'fail')) return;
  // Called without the key, because a gateway rejects each call with an invalid key.
  const sandbox = await toResult(getSandbox(clientOf({ url })));
  yield checkTransport(url, sandbox.ok);
  yield* await checkChains(context);
  yield await checkPayments(context);
  yield* await checkKey(context);
  if (sandbox.ok) yield* checkSandbox(sandbox.value as SandboxReply);
}

/** Checks the gateway process, its bus and its clock. */
async function checkGateway(url: string): Promise<Finding[]> {
  const sentMs = Date.now();
  const reply = await get(`${url}/health/ready`);
  const receivedMs = Date.now();
  if (!reply)
    return [
      fail(
        'gateway',
        `${url} does not answer`,
        'Check the address and the network. Locally: npm start must be running.',
      ),
    ];
  if (reply.status === 404)
    return [
      fail(
        'gateway',
        `${url} is not a gateway of Tollbridge`,
        'Pass the address of the gateway: --api-url <url>',
      ),
    ];
  const { checks = {} } = (await reply.json().catch(() => ({}))) as { checks?: Record<string, string> };
  const bad = Object.entries(checks).filter(([, state]) => state !== 'ok');
  const ready =
    reply.status === 200 && bad.length === 0
      ? ok('gateway', 'ready')
      : fail(
          'gateway',
          `not ready: ${bad.map(([name]) => name).join(', ') || reply.status}`,
          'Read its log: the bus must be reachable (GATEWAY_NATS_URL).',
        );
  return [ready, checkClock(reply.headers.get('date'), (sentMs + receivedMs) / 2)];
}

export function checkClock(date: string | null, nowMs: number): Finding {
  const serverMs = Date.parse(date ?? '');
  if (Number.isNaN(serverMs))
    return warn('clock', 'the gateway sends no date', 'A proxy removes the header Date.');
  // The Date header has a resolution of whole seconds.
  const skewMs = Math.max(0, Math.abs(serverMs + 500 - nowMs) - 500);
  const shown = `${(skewMs / 1_000).toFixed(1)} s between the gateway and this machine`;
  const action = 'Run NTP on both machines: signatures and webhooks have time limits.';
  if (skewMs > largestSkewMs) return fail('clock', shown, action);
  return skewMs > toleratedSkewMs ? warn('clock', shown, action) : ok('clock', shown);
}

function checkTransport(url: string, isSandbox: boolean): Finding {
  if (url.startsWith('https:')) return ok('transport', 'https');
  return isSandbox
    ? ok('transport', 'http, in a sandbox')
    : fail(
        'transport',
        'keys travel in plain text',
        'Put TLS in front of the gateway and use its https address.',
      );
}

async function checkChains({ client }: Context): Promise<Finding[]> {
  const result = await toResult(listChains(client));
  if (!result.ok) return [fail('chains', result.error.message, 'Read the log of pay-orders.')];
  const direct = result.value.details.filter(({ is_direct: isDirect }) => isDirect);
  const available = direct.filter(({ is_available: isAvailable }) => isAvailable);
  if (available.length === 0)
    return [
      fail(
        'chains',
        'no chain takes direct payments',
        'Set CHAINS_FILE with nodes and payment contracts: docs/configuration.md',
      ),
    ];
  const names = available.map(({ short_name: name }) => name).join(', ');
  const unconfirmed = available.filter(({ confirmations }) => confirmations < 1);
  return [
    ok('chains', `${available.length} of ${direct.length} take direct payments: ${names}`),
    ...unconfirmed.map(({ short_name: name }) =>
      warn(`chain ${name}`, 'payments settle without a confirmation', 'Set confirmations in CHAINS_FILE.'),
    ),
  ];
}

async function checkPayments({ client }: Context): Promise<Finding> {
  const result = await toResult(listSupportedPayments(client));
  if (!result.ok)
    return warn(
      '402 payments',
      result.error.message,
      'Only sellers of 402 need them: read the log of nanopay.',
    );
  const kinds = result.value.kinds.map(({ scheme, network }) => `${scheme} on ${network}`);
  return ok('402 payments', kinds.join(', ') || 'none');
}

async function checkKey({ client, session }: Context): Promise<Finding[]> {
  if (session.apiKey === undefined)
    return [
      warn('key', 'not logged in: key and webhooks are not checked', `Run: ${loginCommand(session.url)}`),
    ];
  const result = await toResult(getWebhookEndpoint(client));
  if (!result.ok) {
    const { code, message } = result.error;
    if (code === 'FORBIDDEN')
      return [warn('key', 'valid, but without the permission read', 'Give it the permission read.')];
    return [fail('key', message, `Log in with a key of this deployment: ${loginCommand(session.url)}`)];
  }
  const { url, enabled, circuit } = result.value;
  return [ok('key', 'valid'), checkWebhooks(url, enabled, circuit)];
}

function checkWebhooks(url: string | null, isEnabled: boolean, circuit: string): Finding {
  if (url === null)
    return warn(
      'webhooks',
      'the settings have no webhookUrl',
      'Set it, or use tollbridge listen while you develop.',
    );
  if (!isEnabled)
    return fail(
      'webhooks',
      'the endpoint answered 410 Gone',
      'Repair the endpoint, then set webhookUrl again.',
    );
  return circuit === 'open'
    ? fail(
        'webhooks',
        'the endpoint failed five times in a row',
        'Repair it, then: tollbridge trigger webhook.test',
      )
    : ok('webhooks', 'the endpoint is healthy');
}

const get = (url: string): Promise<Response | undefined> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
