import { Empty, type Msg } from 'nats';
import { callsPurpose, type BusConnection, type PermissionViolation } from './bus-connection';
import { LastingSubscription } from './lasting-subscription';
import { writtenSubject } from '../declarations/wire';

export interface BusFault {
  /** Kind of the fault; the other fields are for the log line. */
  reason: 'subscription rejected' | 'two connections' | 'own call failed';
  subject?: string;
  /** Number of times that the test call arrived, and the number of its replies. */
  arrivals?: number;
  replies?: number;
}

export interface BusWatchOptions {
  /** Whether the app answers calls. Only then may it publish a test call to its own subject. */
  answersCalls: boolean;
  /**
   * Called when calls cannot reach the app, or its replies are rejected. The bus reconnects, or is closed if
   * `isRepeated`.
   */
  onFault?(fault: BusFault, isRepeated: boolean): void;
  /** A second fault within this time closes the connection, in milliseconds. 5 minutes by default. */
  repeatedWithinMs?: number;
}

const defaultRepeatedWithinMs = 5 * 60_000;
// Limits the test calls, regardless of the number of violations that other apps cause.
const checkEveryMs = 1_000;

/**
 * Verifies that calls to this app arrive once and that its replies are delivered, after a violation and after
 * a reconnect.
 *
 * A rejected reply alone does not prove a fault. The caller chose its subject, and may use the inbox of an
 * app that does not call this one. After a violation the app therefore calls itself, over subjects that no
 * other app may use. The outcome of that call decides. See decision 82.
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
  /** True from a fault until the next connection. Violations during this time belong to the former connection. */
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

  /** Answers the test call. Test calls of other replicas and hints of writes also arrive here. */
  private answer({ reply }: Msg): void {
    if (reply !== this.inbox) return;
    this.arrivals++;
    this.bus.nats.publish(this.inbox);
  }

  private violated({ operation, subject, purpose }: PermissionViolation): void {
    // The check itself detects the rejection of its own reply.
    if (purpose !== callsPurpose || this.isReconnecting || subject === this.inbox) return;
    if (operation === 'subscription' && this.isOwn(subject))
      this.fail({ reason: 'subscription rejected', subject });
    else this.check();
  }

  /** Whether this process chose the subject, and no other app. */
  private isOwn(subject: string): boolean {
    return subject.startsWith(`op.${this.bus.app}.`) || subject.startsWith(`${this.bus.inboxPrefix}.`);
  }

  /** Starts a check now, or after the current check and its pause. */
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
      // The connection was lost during the check. The next connection is checked when it is open.
    } finally {
      this.isChecking = false;
    }
    if (this.isDue) this.check();
  }

  /** @throws Error when the connection is lost during the check */
  private async findFault(): Promise<BusFault | undefined> {
    const { bus } = this;
    [this.arrivals, this.replies] = [0, 0];
    if (this.options.answersCalls) bus.nats.publish(writtenSubject(bus.app), Empty, { reply: this.inbox });
    // The server answers in order: after the first flush the call has arrived and the reply was sent.
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
    // Closing the bus ends the process, which is then restarted.
    if (isRepeated) void this.bus.nats.close();
    else this.bus.reconnect();
  }
}
