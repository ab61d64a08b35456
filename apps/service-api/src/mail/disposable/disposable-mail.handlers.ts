import { Controller, Inject } from '@nestjs/common';
import {
  emailApi,
  type EmailAccount,
  type EmailAccountAndWaitReply,
  type EmailAccountAndWaitRequest,
  type EmailAccountRequest,
  type EmailDomainsReply,
  type EmailMessageDetails,
  type EmailMessageQuery,
  type EmailMessagesQuery,
  type EmailMessagesReply,
  type NoEmailFields,
} from '@tollbridge/contracts';
import { Handles, type CallContext } from '@tollbridge/rpc';
import { extractMailCode } from '../../codes/extract-code';
import { WaitingCalls } from '../../waiting/waiting-calls';
import { accountAndWait } from './account-and-wait';
import { DisposableMailProvider, type DisposableMail } from './disposable-mail';
import { badToken } from './mailtm.adapter';
import { notConfigured } from '../provider-failure';

const defaultTimeoutS = 120;
// Time for creating the account, before the wait starts.
const accountMs = 40_000;

@Controller()
@Handles(emailApi)
export class DisposableMailHandlers {
  constructor(
    @Inject(DisposableMailProvider) private readonly provider: DisposableMail | null,
    private readonly waiting: WaitingCalls,
  ) {}

  async listEmailDomains(_: NoEmailFields): Promise<EmailDomainsReply> {
    return { domains: await this.mail.domains() };
  }

  createEmailAccount({ username }: EmailAccountRequest, _context: CallContext): Promise<EmailAccount> {
    return this.mail.createAccount(username);
  }

  async listEmailMessages({ token, page = 1 }: EmailMessagesQuery): Promise<EmailMessagesReply> {
    if (token === undefined) throw badToken();
    const messages = await this.mail.messages(token, page);
    return { messages, count: messages.length, page };
  }

  async getEmailMessage({ token, id }: EmailMessageQuery): Promise<EmailMessageDetails> {
    if (token === undefined) throw badToken();
    const message = await this.mail.message(token, id);
    const { subject, text, html } = message;
    return { ...message, code: extractMailCode({ subject, text, ...(html !== null && { html }) }) };
  }

  createEmailAccountAndWait(
    { username, timeout = defaultTimeoutS }: EmailAccountAndWaitRequest,
    context: CallContext,
  ): Promise<EmailAccountAndWaitReply> {
    const { mail } = this;
    const timeoutMs = timeout * 1_000;
    return this.waiting.during(context, timeoutMs + accountMs, (signal) =>
      accountAndWait(mail, { username, timeoutMs }, signal),
    );
  }

  private get mail(): DisposableMail {
    if (!this.provider) throw notConfigured('Disposable mail');
    return this.provider;
  }
}
