import { eventText } from './event-text';
import type { LiveResource, LiveState } from './resource';

// One for all: there are thousands of feeds.
const none: readonly FeedSubscriber[] = [];

export interface FeedSubscriber {
  /**
   * Receives each state that was read; the subscriber drops those that its client has.
   * @param text the message of the state, encoded once for all subscribers
   */
  onState(state: LiveState, text: string): void;
  /** The state could not be read. The feed has dropped the subscriber. */
  onFailure(error: unknown): void;
}

/** One order or payment, and the streams that follow it. */
export class Feed {
  /** Subscribers that wait for the present state. */
  joining: readonly FeedSubscriber[] = none;
  readonly joined = new Set<FeedSubscriber>();
  isReading = false;
  /** Whether a change came since the read in progress began. */
  isDirty = false;

  /** @param id of the resource in its service */
  constructor(
    readonly resource: LiveResource,
    readonly id: string,
  ) {}

  get key(): string {
    return keyOf(this.resource, this.id);
  }

  get isEmpty(): boolean {
    return this.joining.length === 0 && this.joined.size === 0;
  }

  leave(subscriber: FeedSubscriber): void {
    const joining = this.joining.filter((other) => other !== subscriber);
    this.joining = joining.length > 0 ? joining : none;
    this.joined.delete(subscriber);
  }

  apply(state: LiveState): void {
    const text = eventText(this.resource.name, state.json, state.id);
    for (const subscriber of this.joining) this.joined.add(subscriber);
    this.joining = none;
    for (const subscriber of this.joined) subscriber.onState(state, text);
  }

  /** The state cannot be read now: those that have one wait for the next. */
  rejectJoining(error: unknown): void {
    const rejected = this.joining;
    this.joining = none;
    for (const subscriber of rejected) subscriber.onFailure(error);
  }

  /** The resource is gone. */
  rejectJoined(error: unknown): void {
    const rejected = [...this.joined];
    this.joined.clear();
    for (const subscriber of rejected) subscriber.onFailure(error);
  }
}

export const keyOf = ({ name }: Pick<LiveResource, 'name'>, id: string): string => `${name}:${id}`;
