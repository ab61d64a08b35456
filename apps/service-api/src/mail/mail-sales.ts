import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { agentmailApi, emailApi, resendApi } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import type { ServiceApiConfig } from '../config';
import { soldAt } from '../sales/prices';
import { responseService, type SoldResponse, type SoldService } from '../sales/sold-services';
import { AgentmailHandlers } from './agents/agentmail.handlers';
import { DisposableMailHandlers } from './disposable/disposable-mail.handlers';
import { ResendHandlers } from './sending/resend.handlers';

type Prices = Pick<ServiceApiConfig, 'SALES_EMAIL_ADDRESS_USD' | 'SALES_INBOX_USD' | 'SALES_EMAIL_USD'>;
type Providers = Pick<ServiceApiConfig, 'MAILTM_URL' | 'AGENTMAIL_URL' | 'RESEND_URL' | 'RESEND_DOMAIN'>;

/** Defines addresses and mail of the configured providers as services that are sold for payments. */
@Injectable()
export class MailSales {
  constructor(
    private readonly disposable: DisposableMailHandlers,
    private readonly agentmail: AgentmailHandlers,
    private readonly resend: ResendHandlers,
    @Inject(ServiceConfig) private readonly config: Prices & Providers,
  ) {}

  get services(): SoldService[] {
    const { MAILTM_URL, AGENTMAIL_URL, RESEND_URL, RESEND_DOMAIN } = this.config;
    return [
      ...(MAILTM_URL === '' ? [] : this.disposableMail()),
      ...(AGENTMAIL_URL === '' ? [] : this.inboxes()),
      ...(RESEND_URL === '' || RESEND_DOMAIN === '' ? [] : this.ownDomain()),
    ];
  }

  private disposableMail(): SoldService[] {
    const { disposable, config } = this;
    const { createEmailAccount } = emailApi.operations;
    return sold(config.SALES_EMAIL_ADDRESS_USD, {
      operation: createEmailAccount,
      run: (input, context) => disposable.createEmailAccount(input, context),
    });
  }

  private inboxes(): SoldService[] {
    const { agentmail, config } = this;
    const { createAgentInbox, sendFromAgentInbox } = agentmailApi.operations;
    return [
      ...sold(config.SALES_INBOX_USD, {
        operation: createAgentInbox,
        check: (input) => requireValid(agentmail.validateCreateAgentInbox(input)),
        run: (input, context) => agentmail.createAgentInbox(input, context),
      }),
      ...sold(config.SALES_EMAIL_USD, {
        operation: sendFromAgentInbox,
        run: (input, context) => agentmail.sendFromAgentInbox(input, context),
      }),
    ];
  }

  private ownDomain(): SoldService[] {
    const { resend, config } = this;
    const { makeAgentEmail, sendEmail } = resendApi.operations;
    return [
      ...sold(config.SALES_EMAIL_ADDRESS_USD, {
        operation: makeAgentEmail,
        run: (input, context) => resend.makeAgentEmail(input, context),
      }),
      ...sold(config.SALES_EMAIL_USD, {
        operation: sendEmail,
        check: (input) => requireValid(resend.validateSendEmail(input, [])),
        run: (input, context) => resend.sendEmail(input, context),
      }),
    ];
  }
}

function sold<Input>(price: string, response: Omit<SoldResponse<Input>, 'priceUsd'>): SoldService<Input>[] {
  const found = soldAt(price);
  return found ? [responseService({ ...response, ...found })] : [];
}

function requireValid(errors: FieldError[]): void {
  if (errors.length > 0) throw DomainError.invalid(errors);
}
