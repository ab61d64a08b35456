import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ServiceApiConfig } from '../config';
import { hookSourcesOf } from './hook-sources';
import type { ReceivedHook } from './signatures';

const standard = (name: string): string =>
  `whsec_${Buffer.from(`a key named ${name}, long enough`).toString('base64')}`;
const [next, former, unknown] = ['next', 'former', 'unknown'];
const config = {
  RELOADLY_WEBHOOK_SECRET: `${next},${former}`,
  LITHIC_WEBHOOK_SECRET: `${standard(next)},${standard(former)}`,
  AGENTMAIL_WEBHOOK_SECRET: `${standard(next)},${standard(former)}`,
  RESEND_WEBHOOK_SECRET: `${standard(next)},${standard(former)}`,
  SMS_NUMBERS_WEBHOOK_TOKEN: `${next},${former}`,
  TWILIO_AUTH_TOKEN: `${next},${former}`,
  SERVICE_API_HOOKS_URL: 'https://api.example.com/hooks',
} as unknown as ServiceApiConfig;

const nowMs = Date.parse('2026-11-24T12:00:00Z');
const seconds = String(nowMs / 1_000);
const body = Buffer.from('{}');
const signedBy =
  (prefix: 'svix' | 'webhook') =>
  (name: string): ReceivedHook => ({
    body,
    token: undefined,
    headers: {
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: seconds,
      [`${prefix}-signature`]: new Webhook(standard(name)).sign('msg_1', new Date(nowMs), '{}'),
    },
  });
const hooks: Record<string, (name: string) => ReceivedHook> = {
  reloadly: (name) => ({
    body,
    token: undefined,
    headers: {
      'x-reloadly-request-timestamp': seconds,
      'x-reloadly-signature': createHmac('sha256', name).update(`{}:${seconds}`).digest('hex'),
    },
  }),
  lithic: signedBy('webhook'),
  agentmail: signedBy('svix'),
  resend: signedBy('svix'),
  'sms-activate': (name) => ({ body, token: name, headers: {} }),
  twilio: (name) => ({
    body: Buffer.from(''),
    token: undefined,
    headers: {
      'x-twilio-signature': createHmac('sha1', name)
        .update('https://api.example.com/hooks/twilio')
        .digest('base64'),
    },
  }),
};

describe('hookSourcesOf', () => {
  it.each(Object.keys(hooks))(
    'accepts webhooks of %s under the new and the former secret only',
    (provider) => {
      const source = hookSourcesOf(config).get(provider)!;
      const accepted = [next, former, unknown].map((name) =>
        source.isGenuine(hooks[provider]!(name!), nowMs),
      );
      expect(accepted).toEqual([true, true, false]);
    },
  );

  it('returns no source without a secret', () => {
    const names = Object.keys(config).map((name) => [name, '']);
    expect(hookSourcesOf(Object.fromEntries(names) as ServiceApiConfig).size).toBe(0);
  });
});
