import { integer, text, UnusableValue, url } from '@tollbridge/config';
import { defaultRequestsPerSecond } from './sending/resend.adapter';

const domainForm = /^(?=.{4,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Settings of the mail providers. A provider without a URL is disabled. */
export const mailSettings = {
  MAILTM_URL: url(['http', 'https'], {
    description: 'disposable mail by the protocol of mail.tm; empty turns it off',
    example: 'https://api.mail.tm',
    default: '',
  }),
  MAILTM_REQUESTS_PER_SECOND: integer({
    description: 'requests per second to the provider of disposable mail, per process',
    example: '8',
    // The provider's limit per IP address.
    default: 8,
    min: 1,
    max: 1_000,
  }),
  AGENTMAIL_URL: url(['http', 'https'], {
    description: 'AgentMail, for permanent inboxes; empty turns it off',
    example: 'https://api.agentmail.to',
    default: '',
  }),
  AGENTMAIL_API_KEY: text({
    description: 'API key of AgentMail',
    example: 'am_…',
    default: '',
    isSecret: true,
  }),
  RESEND_URL: url(['http', 'https'], {
    description: 'Resend, for mail from an own domain; empty turns it off',
    example: 'https://api.resend.com',
    default: '',
  }),
  RESEND_API_KEY: text({ description: 'API key of Resend', example: 're_…', default: '', isSecret: true }),
  RESEND_REQUESTS_PER_SECOND: integer({
    description: 'requests per second to Resend, per process; Resend counts all processes together',
    example: '5',
    default: defaultRequestsPerSecond,
    min: 1,
    max: 1_000,
  }),
  RESEND_DOMAIN: {
    description: 'own domain that mail is sent from, verified at Resend; agents get addresses in it',
    example: 'mail.example.com',
    default: '',
    read: (value: string) => {
      if (!domainForm.test(value)) throw new UnusableValue('must be a domain in lower case');
      return value;
    },
  },
};
