import type { Class } from '../declarations/class';

export interface ChannelMessage<T = unknown> {
  summary: string;
  payload: Class<T>;
}

export interface ClientMessage<T = unknown> extends ChannelMessage<T> {
  /** Names of the messages that can answer this message. */
  answers: readonly string[];
}

export interface ChannelSpec {
  title: string;
  /** Path of the WebSocket below the public URL. */
  path: `/${string}`;
  summary: string;
  description: string;
  /** Messages from clients, by name. */
  receives: Record<string, ClientMessage<any>>;
  /** Messages to clients, by name. */
  sends: Record<string, ChannelMessage<any>>;
  /** Close codes of the server, with their meaning. */
  closeCodes: Record<number, string>;
}

export interface Channel extends ChannelSpec {
  app: string;
}

/** Declares a WebSocket channel that one app serves. */
export function channel<const S extends ChannelSpec>(app: string, spec: S): S & { app: string } {
  return { ...spec, app };
}

export interface EventStreamSpec {
  title: string;
  /** Path below the public URL, with its parameters: `/order/{id}/events`. */
  path: `/${string}`;
  summary: string;
  description: string;
  /** Description of each path parameter. */
  parameters: Record<string, string>;
  /** Messages to clients, by the name of the server-sent event. */
  sends: Record<string, ChannelMessage<any>>;
}

export interface EventStream extends EventStreamSpec {
  app: string;
}

/** Declares a stream of server-sent events (HTML Living Standard, section 9.2) that one app serves. */
export function eventStream<const S extends EventStreamSpec>(app: string, spec: S): S & { app: string } {
  return { ...spec, app };
}
