import { Empty, type Msg } from 'nats';
import { callsPurpose, type BusConnection, type PermissionViolation } from './bus-connection';
import { LastingSubscription } from './lasting-subscription';
import { writtenSubject } from '../declarations/wire';

export interface BusFault {
  /** What is wrong; the fields are for a log line. */
  reason: 'subscription rejected' | 'two connections' | 'own call failed';
  subject?: string;
  /** How often the own call arrived, and how many replies to it. */
  arrivals?: number;
  replies?: number;
}

export interface BusWatchOptions {
  /** Whether the app answers calls: only then may it publish to a subject of its own, and reply to it. */
  answersCalls: boolean;
  /**
   * Calls cannot reach the app, or its replies do not leave: it connects again, and closes for good when `isRepeated`.
   */
  onFault?(fault: BusFault, isRepeated: boolean): void;
  /** A second fault within this time closes the connection. 5 minutes by default. */
  repeatedWithinMs?: number;
}

const defaultRepeatedWithinMs = 5 * 60_000;
// However many violations other apps cause, the app calls itself no more often.
const checkEveryMs = 1_000;

/**
 * Verifies that calls to this app arrive once and that its replies leave, after a violation and after a reconnect.
 *
 * A rejected reply alone proves nothing. The caller chose its subject, and may name the inbox of an app that does not
 * call this one. So a violation only makes the app call itself, over subjects that no other app may use; the outcome
 * of that call decides. See decision 82.
 */
export class BusWatch {
  private readonly inbox: string;
  private readonly endings: (() => void)[] = [];
  private arrivals = 0;
  private replies = 0;
  private isChecking = false;
  private isDue = false;
  private lastCheckMs = -Infinity;
  private lastFaultMs = -Infinity;
  private isFaulty = false;
  /** From a fault until there is another connection: what is reported meanwhile belongs to the former one. */
  private isReconnecting = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: BusConnection,
    private readonly options: BusWatchOptions,
  ) {
    this.inbox = bus.newInbox(bus.app);
    if (options.answersCalls) {
      this.subscribe(writtenSubject(bus.app), (message) => this.answer(message));
      this.subscribe(this.inbox, () => this.replies++);
    }
    this.endings.push(bus.onViolation((violation) => this.violated(violation)));
    this.endings.push(
      bus.onInterruption(() => {
        if (!bus.isConnected) return;
        this.isReconnecting = false;
        this.check();
      }),
    );
    void bus.closed.then(() => this.stop());
  }

  /** False from a fault until a check succeeds. */
  get isHealthy(): boolean {
    return !this.isFaulty;
  }

  private stop(): void {
    for (const end of this.endings.splice(0)) end();
    clearTimeout(this.timer);
  }

  private subscribe(subject: string, onMessage: (message: Msg) => void): void {
    const subscription = new LastingSubscription(this.bus, subject, { onMessage });
    this.endings.push(() => subscription.unsubscribe());
  }

  /** Replicas receive each other's checks and the hints of writes as well. */
  private answer({ reply }: Msg): void {
    if (reply !== this.inbox) return;
    this.arrivals++;
    this.bus.nats.publish(this.inbox);
  }

  private violated({ operation, subject, purpose }: PermissionViolation): void {
    // The check itself finds out that its reply was rejected.
    if (purpose !== callsPurpose || this.isReconnecting || subject === this.inbox) return;
    if (operation === 'subscription' && this.isOwn(subject))
      this.fail({ reason: 'subscription rejected', subject });
    else this.check();
  }

  /** Subjects of subscriptions are chosen by this process only. */
  private isOwn(subject: string): boolean {
    return subject.startsWith(`op.${this.bus.app}.`) || subject.startsWith(`${this.bus.inboxPrefix}.`);
  }

  /** At once, or when the check under way or the pause after it is over. */
  private check(): void {
    this.isDue = true;
    if (this.isChecking || this.timer) return;
    const delayMs = this.lastCheckMs + checkEveryMs - performance.now();
    if (delayMs <= 0) return void this.run();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.run();
    }, delayMs).unref();
  }

  private async run(): Promise<void> {
    [this.isDue, this.isChecking, this.lastCheckMs] = [false, true, performance.now()];
    try {
      const fault = await this.findFault();
      if (fault) this.fail(fault);
      else this.isFaulty = false;
    } catch {
      // The connection was lost meanwhile: the next one is checked when it is there.
    } finally {
      this.isChecking = false;
    }
    if (this.isDue) this.check();
  }

  /** @throws when the connection is lost meanwhile */
  private async findFault(): Promise<BusFault | undefined> {
    const { bus } = this;
    [this.arrivals, this.replies] = [0, 0];
    if (this.options.answersCalls) bus.nats.publish(writtenSubject(bus.app), Empty, { reply: this.inbox });
    // The server answers in order: the call has arrived and the reply has left when the first flush resolves.
    await bus.nats.flush();
    await bus.nats.flush();
    if (bus.isDoubled) return { reason: 'two connections' };
    const { arrivals, replies } = this;
    if (!this.options.answersCalls || (arrivals === 1 && replies === 1)) return undefined;
    return { reason: 'own call failed', arrivals, replies };
  }

  private fail(fault: BusFault): void {
    if (this.bus.isDraining) return;
    const nowMs = performance.now();
    const { onFault, repeatedWithinMs = defaultRepeatedWithinMs } = this.options;
    const isRepeated = nowMs - this.lastFaultMs < repeatedWithinMs;
    [this.lastFaultMs, this.isFaulty, this.isReconnecting] = [nowMs, true, true];
    onFault?.(fault, isRepeated);
    // A process without its bus ends and is restarted.
    if (isRepeated) void this.bus.nats.close();
    else this.bus.reconnect();
  }
}
