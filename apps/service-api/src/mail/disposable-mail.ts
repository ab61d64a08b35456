/** Injection token of `DisposableMail`; undefined where none is set up. */
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
  /** Whether text or HTML were longer. */
  truncated: boolean;
}

/**
 * Mailboxes for a while. Its provider can be replaced: nothing beside its adapter knows who that is.
 * All throw a `DomainError`: UPSTREAM_UNAVAILABLE, and what is said below.
 */
export interface DisposableMail {
  domains(signal?: AbortSignal): Promise<MailboxDomain[]>;
  /**
   * @param username a random one without it
   * @throws DomainError CONFLICT when the address is taken, OUTCOME_UNKNOWN when the answer was lost
   */
  createAccount(username: string | undefined, signal?: AbortSignal): Promise<MailboxAccount>;
  /**
   * The newest first.
   * @throws DomainError UNAUTHORIZED for a token that is none
   */
  messages(token: string, page: number, signal?: AbortSignal): Promise<MailSummary[]>;
  /** @throws DomainError UNAUTHORIZED, or NOT_FOUND */
  message(token: string, id: string, signal?: AbortSignal): Promise<MailDetails>;
}
