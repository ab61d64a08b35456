import type { Class } from './operation';

export interface ChannelMessage<T = unknown> {
  summary: string;
  payload: Class<T>;
}

export interface ClientMessage<T = unknown> extends ChannelMessage<T> {
  /** Names of those that are sent: by one of them it is answered. */
  answers: readonly string[];
}

export interface ChannelSpec {
  title: string;
  /** The path of the WebSocket below the public address. */
  path: `/${string}`;
  summary: string;
  description: string;
  /** What clients send, by name. */
  receives: Record<string, ClientMessage<any>>;
  /** What clients are sent, by name. */
  sends: Record<string, ChannelMessage<any>>;
  /** With which codes the server closes a socket, and what each means to its client. */
  closeCodes: Record<number, string>;
}

export interface Channel extends ChannelSpec {
  app: string;
}

/** Declares a WebSocket that one app serves. */
export function channel<const S extends ChannelSpec>(app: string, spec: S): S & { app: string } {
  return { ...spec, app };
}
