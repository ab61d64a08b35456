import {
  webhookExample,
  webhookSchema,
  webhookTypeNames,
  webhookTypes,
  type WebhookAttempt,
  type WebhookDetails,
  type WebhookEndpointReply,
  type WebhookMessage,
  type WebhookTypesReply,
} from '@tollbridge/contracts';
import { isOpen } from './delivery';
import type { StoredEndpoint } from './webhook-endpoints.repository';
import type { LoggedAttempt, StoredMessage } from './webhook-messages.repository';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

export function messageView(message: StoredMessage): WebhookMessage {
  const { id, type, status, attempts, log, nextAttemptMs, createdAtMs } = message;
  const last = log.at(-1);
  return {
    id,
    type,
    status,
    attempts,
    lastStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    nextAttemptAt: isoOrNull(nextAttemptMs),
    createdAt: iso(createdAtMs),
  };
}

export function detailsView(message: StoredMessage): WebhookDetails {
  const payload = JSON.parse(message.payload) as Record<string, unknown>;
  return { ...messageView(message), payload, log: message.log.map(attemptView).reverse() };
}

function attemptView({ atMs, tookMs, status, error }: LoggedAttempt): WebhookAttempt {
  return { at: iso(atMs), ms: tookMs, status, error };
}

/** The endpoint is undefined when the settings never had a URL. */
export function endpointView(endpoint: StoredEndpoint | undefined, nowMs: number): WebhookEndpointReply {
  const nothing = { url: null, enabled: false, circuit: 'closed', pausedUntil: null } as const;
  if (!endpoint) return { ...nothing, secretCreatedAt: null, previousSecretUntil: null };
  const { url, goneAtMs, notBeforeMs, secretCreatedAtMs, previousSecretUntilMs: untilMs } = endpoint;
  const secrets = {
    secretCreatedAt: iso(secretCreatedAtMs),
    previousSecretUntil: untilMs !== null && untilMs > nowMs ? iso(untilMs) : null,
  };
  if (url === null) return { ...nothing, ...secrets };
  return {
    url,
    enabled: goneAtMs === null,
    circuit: isOpen(endpoint) ? 'open' : 'closed',
    pausedUntil: notBeforeMs > nowMs ? iso(notBeforeMs) : null,
    ...secrets,
  };
}

export const typesView: WebhookTypesReply = {
  types: webhookTypeNames.map((name) => ({
    name,
    description: webhookTypes[name].summary,
    schema: webhookSchema(name),
    example: webhookExample(name),
  })),
};
