/** Injection token of `DisposableMail`; null when no provider is configured. */
export const DisposableMailProvider = Symbol('DisposableMailProvider');

export interface MailboxDomain {
  id: string;
  domain: string;
}

export interface MailboxAccount {
  id: string;
  address: string;
  password: string;
  /** A bearer secret. */
  token: string;
}

export interface MailParty {
  address: string;
  name: string;
}

export interface MailSummary {
  id: string;
  from: MailParty;
  to: MailParty[];
  subject: string;
  intro: string;
  seen: boolean;
  hasAttachments: boolean;
  size: number;
  /** ISO 8601. */
  createdAt: string;
}

export interface MailDetails extends MailSummary {
  text: string;
  html: string | null;
  /** Whether text or HTML was shortened. */
  truncated: boolean;
}

/**
 * Temporary mailboxes. All methods throw DomainError UPSTREAM_UNAVAILABLE, and the errors of each method.
 */
export interface DisposableMail {
  domains(signal?: AbortSignal): Promise<MailboxDomain[]>;
  /**
   * @param username random when undefined
   * @throws DomainError CONFLICT when the address is taken, OUTCOME_UNKNOWN when the reply was lost
   */
  createAccount(username: string | undefined, signal?: AbortSignal): Promise<MailboxAccount>;
  /**
   * Returns a page of messages, newest first.
   * @throws DomainError UNAUTHORIZED for an invalid token
   */
  messages(token: string, page: number, signal?: AbortSignal): Promise<MailSummary[]>;
  /** @throws DomainError UNAUTHORIZED, or NOT_FOUND */
  message(token: string, id: string, signal?: AbortSignal): Promise<MailDetails>;
}
