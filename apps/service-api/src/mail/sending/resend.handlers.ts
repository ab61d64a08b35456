import { Controller, Inject } from '@nestjs/common';
import {
  resendApi,
  type AgentEmailReply,
  type AgentEmailRequest,
  type EmailSendReply,
  type EmailSendRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  merchantOf,
  saleIdOf,
  Validates,
  withDerivedKey,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { agentAddress, digestLengths } from '../agents/agent-addresses';
import { MailOwners, senderPrefix } from '../mail.repository';
import { OwnDomain, ResendProvider } from '../mail.tokens';
import { notConfigured } from '../provider-failure';
import { Resend } from './resend.adapter';

/** Mailbox names that belong to the operator: those of RFC 2142, and others that look official. */
const roles = [
  'abuse',
  'admin',
  'administrator',
  'billing',
  'ftp',
  'hostmaster',
  'info',
  'mailer-daemon',
  'marketing',
  'news',
  'no-reply',
  'noc',
  'noreply',
  'postmaster',
  'root',
  'sales',
  'security',
  'support',
  'usenet',
  'uucp',
  'webmaster',
  'www',
];

// An address never changes its wallet. This limit keeps one wallet from claiming all good names.
const mostSenders = 20;

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

@Controller()
@Handles(resendApi)
export class ResendHandlers {
  constructor(
    @Inject(ResendProvider) private readonly provider: Resend | null,
    @Inject(OwnDomain) private readonly ownDomain: string,
    private readonly owners: MailOwners,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Validates(resendApi.operations.sendEmail)
  validateSendEmail({ text, html }: Partial<EmailSendRequest>, found: readonly FieldError[]): FieldError[] {
    const isNamed = found.some(({ field }) => field === 'text' || field === 'html');
    const isEmpty = isBlank(text) && isBlank(html) && !isNamed;
    return isEmpty ? [{ field: 'text', message: 'is missing; send text or html' }] : [];
  }

  async sendEmail(request: EmailSendRequest, context: CallContext): Promise<EmailSendReply> {
    if (!this.provider) throw notConfigured('Mail from an own domain');
    const { to, subject, text, html } = request;
    const from = await this.senderOf(request.from, context);
    const { idempotencyKey } = withDerivedKey(context, 'resend-send');
    const body = { ...(text !== undefined && { text }), ...(html !== undefined && { html }) };
    const { id } = await this.provider.send({ from, to, subject, ...body }, idempotencyKey);
    return { id, from };
  }

  async makeAgentEmail({ agentId }: AgentEmailRequest, context: CallContext): Promise<AgentEmailReply> {
    const { domain } = this;
    const agent = { wallet: merchantOf(context), agentId, domain };
    const candidates = digestLengths.map((length) => agentAddress(agent, length));
    const address = await this.owners.addressOf(agent, candidates, this.clock.now());
    // The longest digest has 160 bits, so all three addresses are taken only when the code has an error.
    if (address === undefined) throw new DomainError('INTERNAL_ERROR');
    return { address, domain };
  }

  /** Returns the From header. An address belongs to the first wallet that sends from it. */
  private async senderOf(given: string | undefined, { principal }: CallContext): Promise<string> {
    const common = `no-reply@${this.domain}`;
    if (given === undefined) return common;
    const open = given.indexOf('<');
    const address = (open < 0 ? given : given.slice(open + 1, -1)).toLowerCase();
    if (address !== common && !(await this.mayUse(address, principal))) {
      const message = `must be an address on ${this.domain} that no other wallet uses and that names no role (a wallet has at most ${mostSenders}), or one created by POST /resend/agent-email; the default is ${common}`;
      throw DomainError.invalid([{ field: 'from', message }]);
    }
    const name = open < 0 ? '' : given.slice(0, open).trim();
    return name === '' ? address : `${name} <${address}>`;
  }

  private async mayUse(address: string, principal: string): Promise<boolean> {
    const wallet = merchantOf({ principal });
    if (await this.owners.hasAddress(wallet, address)) return true;
    const [local, domain] = address.split('@');
    // Anonymous payers could claim names that people trust.
    const isFree = domain === this.domain && !roles.includes(local!) && saleIdOf({ principal }) === undefined;
    if (!isFree || (await this.owners.countSenders(wallet)) >= mostSenders) return false;
    const agent = { wallet, agentId: `${senderPrefix}${address}`, domain };
    return (await this.owners.addressOf(agent, [address], this.clock.now())) === address;
  }

  private get domain(): string {
    if (this.ownDomain === '') throw notConfigured('An own domain of mail');
    return this.ownDomain;
  }
}
