import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { ServiceApiConfig } from '../config';
import { WaitingModule } from '../waiting/waiting.module';
import { Agentmail } from './agents/agentmail.adapter';
import { AgentmailHandlers } from './agents/agentmail.handlers';
import { DisposableMailProvider, type DisposableMail } from './disposable/disposable-mail';
import { DisposableMailHandlers } from './disposable/disposable-mail.handlers';
import { MailSales } from './mail-sales';
import { MailOwners } from './mail.repository';
import { AgentmailProvider, OwnDomain, ResendProvider } from './mail.tokens';
import { Mailtm } from './disposable/mailtm.adapter';
import { Resend } from './sending/resend.adapter';
import { ResendHandlers } from './sending/resend.handlers';

function openDisposableMail(config: ServiceApiConfig): DisposableMail | null {
  const { MAILTM_URL: baseUrl, MAILTM_REQUESTS_PER_SECOND: requestsPerSecond } = config;
  return baseUrl === '' ? null : new Mailtm({ baseUrl, requestsPerSecond });
}

function openAgentmail(config: ServiceApiConfig): Agentmail | null {
  const { AGENTMAIL_URL: baseUrl, AGENTMAIL_API_KEY: apiKey } = config;
  return baseUrl === '' ? null : new Agentmail({ baseUrl, apiKey });
}

function openResend(config: ServiceApiConfig): Resend | null {
  const { RESEND_URL: baseUrl, RESEND_API_KEY: apiKey } = config;
  const { RESEND_REQUESTS_PER_SECOND: requestsPerSecond } = config;
  return baseUrl === '' ? null : new Resend({ baseUrl, apiKey, requestsPerSecond });
}

const handlers = [DisposableMailHandlers, AgentmailHandlers, ResendHandlers];

/** Disposable mailboxes, agents' inboxes, and mail from the deployment's own domain. */
@Module({
  imports: [WaitingModule],
  controllers: handlers,
  providers: [
    { provide: DisposableMailProvider, inject: [ServiceConfig], useFactory: openDisposableMail },
    { provide: AgentmailProvider, inject: [ServiceConfig], useFactory: openAgentmail },
    { provide: ResendProvider, inject: [ServiceConfig], useFactory: openResend },
    {
      provide: OwnDomain,
      inject: [ServiceConfig],
      useFactory: (config: ServiceApiConfig) => config.RESEND_DOMAIN,
    },
    MailOwners,
    // MailSales also sells the operations of these handlers.
    ...handlers,
    MailSales,
  ],
  exports: [MailSales],
})
export class MailModule {}
