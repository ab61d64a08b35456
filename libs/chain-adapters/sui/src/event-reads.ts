import { readPart } from '@tollbridge/chain-nodes';
import type { BlockRef } from '@tollbridge/chain-port';
import { UnreadableReply, readCount, readFields } from '@tollbridge/http';
import type { SuiNode } from './sui-node';
import { headField } from './checkpoint-reads';
import {
  eventFields,
  pageInfoFields,
  pageSize,
  readCheckpoint,
  readPage,
  readPlacedEvent,
  type Page,
  type PlacedEvent,
} from './wire';

// Nodes keep the index of events for a limited time, and return no older events.
const rangeField = `serviceConfig { availableRange(type: "Query", field: "events") { first { sequenceNumber } } }`;

/**
 * Reads the head, and for each type the first page of events above a height, in the order of the chain. It uses one
 * request. The node answers at its head, so the pages are complete from `firstHeight` up to the head.
 */
export function readEvents(
  node: SuiNode,
  types: readonly string[],
  above: number,
): Promise<{ head: BlockRef; firstHeight: number; pages: Page<PlacedEvent>[] }> {
  const filter = above < 0 ? '' : ', afterCheckpoint: $above';
  const declared = types.map((_type, at) => `, $t${at}: String!`).join('');
  const variables = Object.fromEntries(types.map((type, at) => [`t${at}`, type]));
  return readPart(node.ranges, pageSize, (first) => {
    const pages = types.map(
      (_type, at) => `e${at}: events(first: ${first}, filter: { type: $t${at}${filter} }) { ...Page }`,
    );
    return node.ask(
      {
        declared: above < 0 ? declared.slice(2) : `$above: UInt53!${declared}`,
        body: `${headField} ${rangeField} ${pages.join(' ')}`,
        fragments: eventPage,
      },
      above < 0 ? variables : { ...variables, above },
      (data) => ({
        head: readCheckpoint(data['checkpoint'], 'checkpoint'),
        firstHeight: readFirstHeight(data['serviceConfig']),
        pages: types.map((type, at) => readEventPage(data[`e${at}`], type, above)),
      }),
    );
  });
}

function readFirstHeight(value: unknown): number {
  const { availableRange } = readFields(value, 'serviceConfig');
  const { first } = readFields(availableRange, 'availableRange');
  return readCount(readFields(first, 'availableRange.first')['sequenceNumber'], 'availableRange.first');
}

/**
 * Reads the page of events of a type after a cursor. It is complete up to the returned head. Several nodes may serve
 * one URL, so this head may be lower than the head of the previous page.
 */
export function readMoreEvents(
  node: SuiNode,
  { type, above, cursor }: { type: string; above: number; cursor: string | null },
): Promise<{ head: BlockRef; page: Page<PlacedEvent> }> {
  const filter = above < 0 ? '' : ', afterCheckpoint: $above';
  return readPart(node.ranges, pageSize, (first) =>
    node.ask(
      {
        declared: `$type: String!, $cursor: String${above < 0 ? '' : ', $above: UInt53!'}`,
        body: `${headField} events(first: ${first}, after: $cursor, filter: { type: $type${filter} }) { ...Page }`,
        fragments: eventPage,
      },
      { type, cursor, ...(above < 0 ? {} : { above }) },
      ({ checkpoint, events }) => ({
        head: readCheckpoint(checkpoint, 'checkpoint'),
        page: readEventPage(events, type, above),
      }),
    ),
  );
}

const eventPage = `fragment Page on EventConnection { ${pageInfoFields} nodes { ${eventFields} } }`;

function readEventPage(value: unknown, type: string, above: number): Page<PlacedEvent> {
  const page = readPage(value, 'events', readPlacedEvent);
  for (const [at, event] of page.items.entries()) {
    if (event.type !== type) throw new UnreadableReply('an event has another type');
    const before = page.items[at - 1]?.checkpoint.height ?? above + 1;
    if (event.checkpoint.height < before)
      throw new UnreadableReply('events are not in the order of the chain');
  }
  if (page.nextCursor !== null && page.items.length === 0)
    throw new UnreadableReply('a page before the last one has no events');
  return page;
}
