import { secretValues } from '@tollbridge/config';
import type { ServiceApiConfig } from '../config';
import {
  namedByLithic,
  namedByReloadly,
  namedBySmsActivate,
  namedByTwilio,
  type NamedThings,
} from './named-things';
import { callbackUrlOf } from './settings';
import {
  hasToken,
  isReloadlySigned,
  isStandardSigned,
  isTwilioSigned,
  type ReceivedHook,
} from './signatures';

/** A provider that sends webhooks. */
export interface HookSource {
  isGenuine(hook: ReceivedHook, nowMs: number): boolean;
  /** Reads the ids in the webhook. Absent when this app waits for no event of the provider. */
  named?(body: Buffer): NamedThings;
  /** The kinds of purchases that its webhooks can refer to. */
  kinds: readonly string[];
}

/** The configured sources, by their name in the URL. */
export function hookSourcesOf(config: ServiceApiConfig): ReadonlyMap<string, HookSource> {
  const {
    RELOADLY_WEBHOOK_SECRET: reloadly,
    LITHIC_WEBHOOK_SECRET: lithic,
    AGENTMAIL_WEBHOOK_SECRET: agentmail,
    RESEND_WEBHOOK_SECRET: resend,
    SMS_NUMBERS_WEBHOOK_TOKEN: token,
    TWILIO_AUTH_TOKEN: twilio,
  } = config;
  const twilioUrl = callbackUrlOf(config);
  const sources: [name: string, isConfigured: boolean, source: HookSource][] = [
    [
      'reloadly',
      reloadly !== '',
      {
        isGenuine: (hook, nowMs) => isBy(reloadly, (secret) => isReloadlySigned(secret, hook, nowMs)),
        named: namedByReloadly,
        kinds: ['gift-card', 'airtime', 'bill'],
      },
    ],
    [
      'lithic',
      lithic !== '',
      {
        isGenuine: (hook, nowMs) =>
          isBy(lithic, (secret) => isStandardSigned('webhook', secret, hook, nowMs)),
        named: namedByLithic,
        kinds: ['card'],
      },
    ],
    [
      'twilio',
      twilio !== '' && twilioUrl !== undefined,
      {
        isGenuine: (hook) => isBy(twilio, (secret) => isTwilioSigned(secret, twilioUrl!, hook)),
        named: namedByTwilio,
        kinds: ['sms-message'],
      },
    ],
    [
      'sms-activate',
      token !== '',
      {
        isGenuine: (hook) => isBy(token, (secret) => hasToken(secret, hook)),
        named: namedBySmsActivate,
        kinds: ['sms-number', 'sms-number-and-wait'],
      },
    ],
    ['agentmail', agentmail !== '', mail(agentmail)],
    ['resend', resend !== '', mail(resend)],
  ];
  return new Map(sources.flatMap(([name, isConfigured, source]) => (isConfigured ? [[name, source]] : [])));
}

/** Whether one of the configured secrets matches. All are tried, even after a match, so that the time is constant. */
const isBy = (secrets: string, fits: (secret: string) => boolean): boolean =>
  secretValues(secrets).map(fits).includes(true);

/** Mail is read from its provider with each request, so its webhooks cause no lookup. */
const mail = (secrets: string): HookSource => ({
  isGenuine: (hook, nowMs) => isBy(secrets, (secret) => isStandardSigned('svix', secret, hook, nowMs)),
  kinds: [],
});
