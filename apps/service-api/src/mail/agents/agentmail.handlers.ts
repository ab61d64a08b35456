import { Controller, Inject } from '@nestjs/common';
import {
  agentmailApi,
  type AgentInbox,
  type AgentInboxRequest,
  type AgentSendReply,
  type AgentSendRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  merchantOf,
  Validates,
  withDerivedKey,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { createHash } from 'node:crypto';
import { Agentmail, nameTaken } from './agentmail.adapter';
import { MailOwners } from '../mail.repository';
import { AgentmailProvider } from '../mail.tokens';
import { notConfigured } from '../provider-failure';
import { slugOf } from './slug';

const maxUsernameLength = 40;

@Controller()
@Handles(agentmailApi)
export class AgentmailHandlers {
  constructor(
    @Inject(AgentmailProvider) private readonly provider: Agentmail | null,
    private readonly owners: MailOwners,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Validates(agentmailApi.operations.createAgentInbox)
  validateCreateAgentInbox({ name }: Partial<AgentInboxRequest>): FieldError[] {
    const hasName = name === undefined || slugOf(name, maxUsernameLength) !== '';
    return hasName ? [] : [{ field: 'name', message: 'must contain a letter from a to z, or a digit' }];
  }

  async createAgentInbox({ name }: AgentInboxRequest, context: CallContext): Promise<AgentInbox> {
    const { agentmail } = this;
    const wallet = merchantOf(context);
    const username = slugOf(name, maxUsernameLength);
    // Derived from wallet and name, so that a repeated call of this wallet finds the inbox after a lost reply.
    const clientId = createHash('sha256')
      .update(JSON.stringify([wallet, username]))
      .digest('base64url');
    const { inboxId, createdAt } = await agentmail.createInbox({ username, displayName: name, clientId });
    if (!(await this.owners.claimInbox({ inboxId, wallet, name }, this.clock.now()))) throw nameTaken();
    return { inboxId, inbox_id: inboxId, email: inboxId, name, createdAt };
  }

  async sendFromAgentInbox(
    { inbox_id, to, subject, text }: AgentSendRequest,
    context: CallContext,
  ): Promise<AgentSendReply> {
    const { agentmail } = this;
    const inboxId = inbox_id.toLowerCase();
    if (!(await this.owners.hasInbox(merchantOf(context), inboxId)))
      throw new DomainError(
        'NOT_FOUND',
        'Your wallet has no such inbox. POST /agentmail/inboxes creates one.',
      );
    const { idempotencyKey } = withDerivedKey(context, 'agentmail-send');
    return agentmail.send(inboxId, { to, subject, text }, idempotencyKey);
  }

  private get agentmail(): Agentmail {
    if (!this.provider) throw notConfigured('The provider of inboxes');
    return this.provider;
  }
}
