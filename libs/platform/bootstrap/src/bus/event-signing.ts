import { declaredStreams } from '@tollbridge/contracts';
import { GroupedWarnings, Metrics, type Logger } from '@tollbridge/observability';
import {
  eventRejections,
  EventVerifier,
  streamOf,
  type EventSigning,
  type ServiceIdentity,
} from '@tollbridge/rpc';

/** Settings for peers on the bus (`serviceSettings`, `streamSettings`). */
export interface PeerOptions {
  /** Until this time the bus accepts an older release, which neither signs events nor opens sealed calls. */
  oldReleaseUntilMs: number;
  /** Programs other than the apps that receive the events of this app. */
  eventReceivers: readonly string[];
}

/** @param config of an app; tests omit these settings, and then no such peer is accepted */
export function peerOptionsOf(app: string, config: unknown): PeerOptions {
  const values = (config ?? {}) as Record<string, string | undefined>;
  const until = values['BUS_OLD_RELEASE_UNTIL'];
  const receivers = values[`${streamOf(app)}_EVENT_RECEIVERS`];
  return {
    oldReleaseUntilMs: until ? Date.parse(until) : 0,
    eventReceivers: receivers ? receivers.split(',').flatMap((name) => name.trim() || []) : [],
  };
}

/** Signs the events of an app for its receivers. Receivers without a listed identity are skipped and logged. */
export function eventSigningOf(
  identity: ServiceIdentity,
  { eventReceivers }: PeerOptions,
  logger: Logger,
): EventSigning {
  const declared = declaredStreams.find(({ app }) => app === identity.app)?.receivers ?? [];
  const wanted = [...new Set([...declared, ...eventReceivers])];
  const receivers = wanted.filter((app) => identity.knows(app));
  const unknown = wanted.filter((app) => !receivers.includes(app));
  if (unknown.length > 0) logger.warn({ unknown }, 'events not signed for apps without a listed identity');
  return { identity, receivers };
}

/** Verifies events, and counts those that are rejected. */
export function eventVerifierOf(
  identity: ServiceIdentity,
  { oldReleaseUntilMs }: PeerOptions,
  metrics: Metrics,
  logger: Logger,
): EventVerifier {
  const rejected = metrics.counter(
    'tollbridge_events_rejected_total',
    'Events that were not handled, since their publisher has not signed them',
    ['reason'],
  );
  for (const reason of eventRejections) rejected.inc({ reason }, 0);
  if (oldReleaseUntilMs > Date.now())
    logger.warn(
      { until: new Date(oldReleaseUntilMs) },
      'unsigned events and unsealed calls of an older release are accepted',
    );
  const warnings = new GroupedWarnings(logger);
  return new EventVerifier(identity, oldReleaseUntilMs, ({ reason }, source) => {
    rejected.inc({ reason });
    warnings.warn(`${reason} ${source}`, { source, reason }, 'event rejected');
  });
}
