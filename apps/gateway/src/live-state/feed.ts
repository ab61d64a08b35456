import { eventText } from './event-text';
import type { LiveResource, LiveState } from './resource';

// One shared empty list, because there are thousands of feeds.
const none: readonly FeedSubscriber[] = [];

export interface FeedSubscriber {
  /**
   * Called with each state that was read. The subscriber skips states that its client has.
   * @param text the message of the state, encoded once for all subscribers
   */
  onState(state: LiveState, text: string): void;
  /** Called when the state could not be read. The feed has removed the subscriber. */
  onFailure(error: unknown): void;
}

/** The subscriptions to one order or payment. */
export class Feed {
  /** Subscribers that wait for the current state. */
  joining: readonly FeedSubscriber[] = none;
  readonly joined = new Set<FeedSubscriber>();
  isReading = false;
  /** Whether a change occurred after the start of the read in progress. */
  isDirty = false;

  /** @param id the id of the resource in its service */
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

  /**
   * Rejects the subscribers that have no state yet, because the state cannot be read now. The others wait for the next
   * state.
   */
  rejectJoining(error: unknown): void {
    const rejected = this.joining;
    this.joining = none;
    for (const subscriber of rejected) subscriber.onFailure(error);
  }

  /** Rejects all subscribers, because the resource does not exist any more. */
  rejectJoined(error: unknown): void {
    const rejected = [...this.joined];
    this.joined.clear();
    for (const subscriber of rejected) subscriber.onFailure(error);
  }
}

export const keyOf = ({ name }: Pick<LiveResource, 'name'>, id: string): string => `${name}:${id}`;
