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

/** A provider whose webhooks are taken. */
export interface HookSource {
  isGenuine(hook: ReceivedHook, nowMs: number): boolean;
  /** What it is about; without it nothing here waits for what this provider tells. */
  named?(body: Buffer): NamedThings;
  /** The kinds of purchases that it can be about. */
  kinds: readonly string[];
}

/** Those with a secret, by their names in addresses. */
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
  const sources: [name: string, isThere: boolean, source: HookSource][] = [
    [
      'reloadly',
      reloadly !== '',
      {
        isGenuine: (hook, nowMs) => isReloadlySigned(reloadly, hook, nowMs),
        named: namedByReloadly,
        kinds: ['gift-card', 'airtime', 'bill'],
      },
    ],
    [
      'lithic',
      lithic !== '',
      {
        isGenuine: (hook, nowMs) => isStandardSigned('webhook', lithic, hook, nowMs),
        named: namedByLithic,
        kinds: ['card'],
      },
    ],
    [
      'twilio',
      twilio !== '' && twilioUrl !== undefined,
      {
        isGenuine: (hook) => isTwilioSigned(twilio, twilioUrl!, hook),
        named: namedByTwilio,
        kinds: ['sms-message'],
      },
    ],
    [
      'sms-activate',
      token !== '',
      {
        isGenuine: (hook) => hasToken(token, hook),
        named: namedBySmsActivate,
        kinds: ['sms-number', 'sms-number-and-wait'],
      },
    ],
    ['agentmail', agentmail !== '', mail(agentmail)],
    ['resend', resend !== '', mail(resend)],
  ];
  return new Map(sources.flatMap(([name, isThere, source]) => (isThere ? [[name, source]] : [])));
}

/** Mail is nobody's purchase, and read from its provider whenever it is asked for: nothing waits for it. */
const mail = (secret: string): HookSource => ({
  isGenuine: (hook, nowMs) => isStandardSigned('svix', secret, hook, nowMs),
  kinds: [],
});
