import { rotatingSecret, url, type Config, type Setting } from '@tollbridge/config';

/** The secret of a webhook signed by Standard Webhooks or Svix. */
const standardSecret = (provider: string): Setting<string> =>
  rotatingSecret({
    description: `secret that signs webhooks of ${provider}; without it they are rejected`,
    example: `whsec_${Buffer.from('REPLACE_ME_with_your_own').toString('base64')}`,
    default: '',
    problemOf: (value) => {
      const key = Buffer.from(value.slice(6), 'base64');
      const isStandard = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value) && key.length >= 16;
      return isStandard ? undefined : 'must be whsec_ and at least 16 bytes in base64';
    },
  });

/**
 * Secrets of the webhooks that providers send to `/hooks/<name>`. A webhook without a configured secret is rejected.
 */
export const hookSettings = {
  SERVICE_API_HOOKS_URL: url(['http', 'https'], {
    description:
      'public URL of /hooks at the gateway; sent to Twilio with each message and part of its signature; empty requests no webhooks of Twilio',
    example: 'https://api.example.com/hooks',
    default: '',
  }),
  RELOADLY_WEBHOOK_SECRET: rotatingSecret({
    description: 'secret that signs webhooks of Reloadly; without it they are rejected',
    example: 'your-webhook-secret',
    default: '',
    minLength: 16,
  }),
  AGENTMAIL_WEBHOOK_SECRET: standardSecret('AgentMail'),
  RESEND_WEBHOOK_SECRET: standardSecret('Resend'),
  LITHIC_WEBHOOK_SECRET: standardSecret('Lithic'),
  SMS_NUMBERS_WEBHOOK_TOKEN: rotatingSecret({
    description:
      'last segment of /hooks/sms-activate/<token>, the webhook URL of the number provider, which signs nothing; without it webhooks are rejected',
    example: 'REPLACE_ME_with_32_random_letters',
    default: '',
    problemOf: (value) =>
      /^[\w-]{16,128}$/.test(value) ? undefined : 'must have from 16 to 128 letters, digits, - and _',
  }),
};

export type HookConfig = Config<typeof hookSettings>;

/** The status callback of Twilio; undefined when SERVICE_API_HOOKS_URL is not set. */
export const callbackUrlOf = ({
  SERVICE_API_HOOKS_URL: url,
}: Pick<HookConfig, 'SERVICE_API_HOOKS_URL'>): string | undefined =>
  url === '' ? undefined : `${url.replace(/\/+$/, '')}/twilio`;
