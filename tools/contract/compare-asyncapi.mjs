import { compareSchemas, report, resolve } from './compare-schemas.mjs';

/** @typedef {import('./compare-schemas.mjs').Comparison} Comparison */

/**
 * Returns the differences of two AsyncAPI documents for subscribers of events and clients of sockets. Consumers of
 * another release dead-letter an event with an unknown value, so such a value is a breaking change.
 * @param {any} before @param {any} after @returns {import('./compare-schemas.mjs').Finding[]}
 */
export function compareAsyncApi(before, after) {
  /** @type {Comparison} */
  const comparison = { before, after, findings: [], hasClosedEnums: true };
  const received = receivedMessages(before);
  for (const [name, old] of Object.entries(before.channels)) {
    const next = after.channels[name];
    if (!next) {
      report(comparison, 'channel-removed', name, 'the channel was removed');
      continue;
    }
    if (old.address !== next.address)
      report(comparison, 'address', name, `${old.address} became ${next.address}`);
    for (const [message, given] of Object.entries(old.messages ?? {}))
      compareMessage(comparison, given, next.messages?.[message], {
        direction: received.has(message) ? 'in' : 'out',
        at: `${name} ${message}`,
      });
  }
  for (const [name, { action }] of Object.entries(before.operations ?? {}))
    if (after.operations?.[name]?.action !== action)
      report(comparison, 'operation-removed', name, `the operation no longer has the action ${action}`);
  return comparison.findings;
}

/** @param {any} document @returns the names of the messages that this product receives from clients */
function receivedMessages(document) {
  const operations = /** @type {any[]} */ (Object.values(document.operations ?? {}));
  return new Set(
    operations
      .filter(({ action }) => action === 'receive')
      .flatMap(({ messages = [] }) => messages.map(({ $ref }) => $ref.split('/').at(-1))),
  );
}

/**
 * @param {Comparison} comparison
 * @param {any} old
 * @param {any} next
 * @param {{ direction: 'in' | 'out', at: string }} place
 */
function compareMessage(comparison, old, next, place) {
  if (!next) return report(comparison, 'message-removed', place.at, 'the message was removed');
  const { payload: before } = resolve(comparison.before, old);
  const { payload: after } = resolve(comparison.after, next);
  compareSchemas(comparison, before, after, place);
}
