import { createHash } from 'node:crypto';
import type { StrictFields } from '../document/strict-fields';
import { Rejected } from '../rejection';

/** A runtime measurement of the operating system or the application, in the agent's format. */
export type RuntimeEvent = {
  imr: 3;
  event_type: typeof runtimeEventType;
  /** 96 hexadecimal digits, or empty, because the other fields determine it. */
  digest: string;
  event: string;
  event_payload: string;
  /** Format of the digest. Version 1 if absent. */
  version?: 2;
};

/** The event type of the dstack agent's own events. */
export const runtimeEventType = 0x08000001;

/** The last event of the system. After it the application runs and may add any event. */
export const lastEventOfSystem = 'system-ready';

const maxEvents = 256;
const maxNameLength = 128;
const maxPayloadBytes = 8 * 1024;
const required = ['imr', 'event_type', 'digest', 'event', 'event_payload'];

export function readRuntimeEvents(value: unknown, fields: StrictFields): RuntimeEvent[] {
  return fields.list(value, 'eventLog', maxEvents, (item, name) => {
    const all = fields.object(item, name, required, ['version']);
    const digest = fields.text(all['digest'], `${name}.digest`, 96);
    return {
      imr: fields.choice(all['imr'], `${name}.imr`, [3] as const),
      event_type: fields.choice(all['event_type'], `${name}.event_type`, [runtimeEventType] as const),
      digest: digest && fields.hex(digest, `${name}.digest`, { exactly: 48 }),
      event: fields.text(all['event'], `${name}.event`, maxNameLength),
      event_payload: fields.hex(all['event_payload'], `${name}.event_payload`, { most: maxPayloadBytes }),
      ...(all['version'] === undefined || all['version'] === 1
        ? {}
        : { version: fields.choice(all['version'], `${name}.version`, [2] as const) }),
    };
  });
}

/** Computes the digest from name and payload. The digest in the log proves nothing about the payload. */
export function digestOfEvent({ event, event_payload: payload, version }: RuntimeEvent): Buffer {
  if (version === 2) {
    const canonical = JSON.stringify({ name: event, payload, type: runtimeEventType });
    return sha384(Buffer.from(canonical));
  }
  const type = Buffer.alloc(4);
  type.writeUInt32LE(runtimeEventType);
  return sha384(type, Buffer.from(`:${event}:`), Buffer.from(payload, 'hex'));
}

/** Returns the value of the register after exactly these events in this order. */
export function replayEvents(events: readonly RuntimeEvent[]): Buffer {
  let register: Buffer = Buffer.alloc(48);
  for (const event of events) {
    const digest = digestOfEvent(event);
    if (event.digest !== '' && event.digest !== digest.toString('hex'))
      throw new Rejected('event_log_mismatch', 'the digest of an event does not match its content');
    register = sha384(register, digest);
  }
  return register;
}

/**
 * Returns, by event name, the payloads that the operating system measured before it started the application. Repeated
 * names are omitted, because an application may add events of any name later.
 */
export function eventsOfSystem(events: readonly RuntimeEvent[]): Map<string, string> {
  const end = events.findIndex(({ event }) => event === lastEventOfSystem);
  if (end < 0) throw new Rejected('event_log_incomplete', `the event log has no event ${lastEventOfSystem}`);
  const names = events.map(({ event }) => event);
  const isOnly = ({ event }: RuntimeEvent): boolean => names.indexOf(event) === names.lastIndexOf(event);
  const measured = events.slice(0, end).filter(isOnly);
  return new Map(measured.map(({ event, event_payload: payload }) => [event, payload]));
}

const sha384 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
