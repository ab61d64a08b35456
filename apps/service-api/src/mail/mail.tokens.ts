/** Injection tokens; null when a provider is not configured. */
export const AgentmailProvider = Symbol('AgentmailProvider');
export const ResendProvider = Symbol('ResendProvider');
/** The domain of agents' addresses; empty when none is configured. */
export const OwnDomain = Symbol('OwnDomain');
