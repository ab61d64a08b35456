import { text, UnusableValue, url, type Config, type Setting } from '@tollbridge/config';

/** The secret of a webhook that is signed as Standard Webhooks (and Svix) has it. */
const standardSecret = (provider: string): Setting<string> => ({
  description: `secret that webhooks of ${provider} are signed under; without it none are taken`,
  example: `whsec_${Buffer.from('REPLACE_ME_with_your_own').toString('base64')}`,
  default: '',
  isSecret: true,
  read: (value: string) => {
    const key = Buffer.from(value.slice(6), 'base64');
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value) || key.length < 16)
      throw new UnusableValue('must be whsec_ and at least 16 bytes in base64');
    return value;
  },
});

/** Webhooks that providers send, each to `/hooks/` and its name. Whatever is not given here is not taken. */
export const hookSettings = {
  SERVICE_API_HOOKS_URL: url(['http', 'https'], {
    description:
      'where providers reach the /hooks of the gateway; Twilio is given it with each message, and signs over it; empty to ask for no webhooks of Twilio',
    example: 'https://api.example.com/hooks',
    default: '',
  }),
  RELOADLY_WEBHOOK_SECRET: text({
    description: 'secret that webhooks of Reloadly are signed under; without it none are taken',
    example: 'your-webhook-secret',
    default: '',
    minLength: 16,
    isSecret: true,
  }),
  AGENTMAIL_WEBHOOK_SECRET: standardSecret('AgentMail'),
  RESEND_WEBHOOK_SECRET: standardSecret('Resend'),
  LITHIC_WEBHOOK_SECRET: standardSecret('Lithic'),
  SMS_NUMBERS_WEBHOOK_TOKEN: {
    description:
      'what stands behind /hooks/sms-activate/ in the address that the provider of numbers is given, since it signs nothing; without it none are taken',
    example: 'REPLACE_ME_with_32_random_letters',
    default: '',
    isSecret: true,
    read: (value: string) => {
      if (!/^[\w-]{16,128}$/.test(value))
        throw new UnusableValue('must have from 16 to 128 letters, digits, - and _');
      return value;
    },
  },
};

export type HookConfig = Config<typeof hookSettings>;

/** The status callback of Twilio; undefined when SERVICE_API_HOOKS_URL is not set. */
export const callbackUrlOf = ({
  SERVICE_API_HOOKS_URL: url,
}: Pick<HookConfig, 'SERVICE_API_HOOKS_URL'>): string | undefined =>
  url === '' ? undefined : `${url.replace(/\/+$/, '')}/twilio`;
