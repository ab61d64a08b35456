export interface TextMessage {
  /** In E.164 form. */
  to: string;
  body: string;
}

export interface SentMessage {
  /** The provider's own id. */
  sid: string;
  status: string;
}

/** A message as the provider's list shows it. */
export interface ListedMessage extends SentMessage {
  body: string;
  createdAtMs: number;
}

/** Who sends messages. Failures are ProviderErrors, refusals DomainErrors in our words. */
export interface TextMessages {
  /** Stored with each purchase. */
  readonly name: string;
  /**
   * Sends one, once: a lost answer is `unknownOutcome`.
   * @param maxUsd what it may cost at most
   */
  send(message: TextMessage, maxUsd: string): Promise<SentMessage>;
  /** The last ones to a number, newest first; `isWhole` says that there were no more. */
  lastTo(to: string): Promise<{ messages: ListedMessage[]; isWhole: boolean }>;
}

/** Injection token. */
export const TextMessages = Symbol('TextMessages');
