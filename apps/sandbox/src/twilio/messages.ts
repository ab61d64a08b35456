import type { Clock } from '@tollbridge/database';
import { randomBytes } from 'node:crypto';
import { undeliverableTo } from './magic-numbers';

export type MessageStatus = 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered';

export interface Message {
  sid: string;
  to: string;
  from: string | null;
  messagingServiceSid: string | null;
  body: string;
  createdAtMs: number;
}

/** Times from the request until a deliverable message enters each state. */
export const [sendingAfterMs, sentAfterMs, endedAfterMs] = [500, 1_000, 3_000];
// More than any client lists.
const maxMessages = 20_000;

/** Sent messages of an account. The state of each is derived from the time. */
export class Messages {
  private readonly bySid = new Map<string, Message>();

  constructor(private readonly clock: Clock) {}

  add(given: Omit<Message, 'sid' | 'createdAtMs'>): Message {
    const sid = `SM${randomBytes(16).toString('hex')}`;
    const message = { ...given, sid, createdAtMs: this.clock.now() };
    this.bySid.set(sid, message);
    if (this.bySid.size > maxMessages) this.bySid.delete(this.bySid.keys().next().value!);
    return message;
  }

  find(sid: string): Message | undefined {
    return this.bySid.get(sid);
  }

  /** Returns messages, newest first. */
  all(): Message[] {
    return [...this.bySid.values()].reverse();
  }

  statusOf({ to, createdAtMs }: Message): MessageStatus {
    const ageMs = this.clock.now() - createdAtMs;
    if (ageMs < sendingAfterMs) return 'queued';
    if (ageMs < sentAfterMs) return 'sending';
    if (ageMs < endedAfterMs) return 'sent';
    return endOf(to);
  }
}

export const endOf = (to: string): MessageStatus => (to === undeliverableTo ? 'undelivered' : 'delivered');
