export interface TextMessage {
  /** In E.164 form. */
  to: string;
  body: string;
}

export interface SentMessage {
  /** The provider's id of the message. */
  sid: string;
  status: string;
}

/** A message in the provider's list. */
export interface ListedMessage extends SentMessage {
  body: string;
  createdAtMs: number;
}

/** Sends messages. Methods throw ProviderError, or DomainError when the provider declines. */
export interface TextMessages {
  /** Stored with each purchase. */
  readonly name: string;
  /**
   * Sends one request. A lost reply is `unknownOutcome`.
   * @param maxUsd maximum price
   */
  send(message: TextMessage, maxUsd: string): Promise<SentMessage>;
  /** Returns the last messages to a number, newest first; `isWhole` when the list contains all of them. */
  lastTo(to: string): Promise<{ messages: ListedMessage[]; isWhole: boolean }>;
}

/** Injection token. */
export const TextMessages = Symbol('TextMessages');
