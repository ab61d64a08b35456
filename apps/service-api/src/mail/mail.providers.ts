import type { FactoryProvider } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { ServiceApiConfig } from '../config';
import { Agentmail } from './agentmail.adapter';
import { DisposableMailProvider, type DisposableMail } from './disposable-mail';
import { Mailtm } from './mailtm.adapter';
import { Resend } from './resend.adapter';

/** Injection tokens; null where a provider is not set up. */
export const AgentmailProvider = Symbol('AgentmailProvider');
export const ResendProvider = Symbol('ResendProvider');
/** Where agents have their addresses; empty where there is none. */
export const OwnDomain = Symbol('OwnDomain');

const from = <T>(token: symbol, useFactory: (config: ServiceApiConfig) => T): FactoryProvider<T> => ({
  ...{ provide: token, inject: [ServiceConfig], useFactory },
});

export const mailProviders: FactoryProvider[] = [
  from<DisposableMail | null>(DisposableMailProvider, (config) => {
    const { MAILTM_URL: baseUrl, MAILTM_REQUESTS_PER_SECOND: requestsPerSecond } = config;
    return baseUrl === '' ? null : new Mailtm({ baseUrl, requestsPerSecond });
  }),
  from<Agentmail | null>(AgentmailProvider, ({ AGENTMAIL_URL: baseUrl, AGENTMAIL_API_KEY: apiKey }) =>
    baseUrl === '' ? null : new Agentmail({ baseUrl, apiKey }),
  ),
  from<Resend | null>(ResendProvider, (config) => {
    const { RESEND_URL: baseUrl, RESEND_API_KEY: apiKey } = config;
    const requestsPerSecond = config.RESEND_REQUESTS_PER_SECOND;
    return baseUrl === '' ? null : new Resend({ baseUrl, apiKey, requestsPerSecond });
  }),
  from(OwnDomain, ({ RESEND_DOMAIN }) => RESEND_DOMAIN),
];
