import {
  developmentDirectory,
  developmentIdentitySecret,
  ServiceIdentity,
  type IdentityDirectory,
  type SealContext,
  type SealedBody,
  type SealedPart,
  type SignedCall,
} from '@tollbridge/rpc';
import { appCalls, callAccess } from './calls';

/**
 * Signs and seals each call as an app that may make it. For tests and benchmarks, which have the secrets of all apps;
 * by default those of the development identities.
 */
export class AnyCaller extends ServiceIdentity {
  private readonly callers = new Map<string, ServiceIdentity>();

  constructor(
    private readonly secretOf: (app: string) => string = developmentIdentitySecret,
    private readonly directoryOf: IdentityDirectory = developmentDirectory,
  ) {
    super('gateway', [secretOf('gateway')], directoryOf);
  }

  override sign(callee: string, call: SignedCall): string {
    return this.callerOf(call.subject).sign(callee, call);
  }

  override seal(part: SealedPart, receiver: string, context: SealContext, body: Uint8Array): SealedBody {
    return this.callerOf(context.subject).seal(part, receiver, context, body);
  }

  override open(part: SealedPart, sender: string, context: SealContext, sealed: SealedBody): Buffer {
    return this.callerOf(context.subject).open(part, sender, context, sealed);
  }

  private callerOf(subject: string): ServiceIdentity {
    const app = Object.keys(appCalls).find((name) => callAccess(name, subject) !== 'none') ?? 'gateway';
    let caller = this.callers.get(app);
    if (!caller) {
      caller = new ServiceIdentity(app, [this.secretOf(app)], this.directoryOf);
      this.callers.set(app, caller);
    }
    return caller;
  }
}
