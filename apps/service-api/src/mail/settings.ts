import { integer, text, UnusableValue, url } from '@tollbridge/config';
import { defaultRequestsPerSecond } from './resend.adapter';

const domainForm = /^(?=.{4,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** The providers of mail; each one is off while it has no URL. */
export const mailSettings = {
  MAILTM_URL: url(['http', 'https'], {
    description: 'disposable mail by the protocol of mail.tm; empty turns it off',
    example: 'https://api.mail.tm',
    default: '',
  }),
  MAILTM_REQUESTS_PER_SECOND: integer({
    description: 'how often the provider of disposable mail is asked, by one process',
    example: '8',
    // What it allows one address.
    default: 8,
    min: 1,
    max: 1_000,
  }),
  AGENTMAIL_URL: url(['http', 'https'], {
    description: 'AgentMail, for inboxes that stay; empty turns it off',
    example: 'https://api.agentmail.to',
    default: '',
  }),
  AGENTMAIL_API_KEY: text({
    description: 'key of AgentMail',
    example: 'am_…',
    default: '',
    isSecret: true,
  }),
  RESEND_URL: url(['http', 'https'], {
    description: 'Resend, for mail from an own domain; empty turns it off',
    example: 'https://api.resend.com',
    default: '',
  }),
  RESEND_API_KEY: text({ description: 'key of Resend', example: 're_…', default: '', isSecret: true }),
  RESEND_REQUESTS_PER_SECOND: integer({
    description: 'how often Resend is asked, by one process; it counts those of all',
    example: '5',
    default: defaultRequestsPerSecond,
    min: 1,
    max: 1_000,
  }),
  RESEND_DOMAIN: {
    description:
      'own domain from which mail is sent, verified at Resend; agents have their addresses below it',
    example: 'mail.example.com',
    default: '',
    read: (value: string) => {
      if (!domainForm.test(value)) throw new UnusableValue('must be a domain in lower case');
      return value;
    },
  },
};
