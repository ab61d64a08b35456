import {
  developmentDirectory,
  developmentIdentitySecret,
  ServiceIdentity,
  type IdentityDirectory,
  type SignedCall,
} from '@tollbridge/rpc';
import { appCalls, callAccess } from './calls';

/**
 * Signs each call as an app that is allowed to make it. For tests and benchmarks, which hold the secrets of all apps;
 * by default the secrets of the development identities.
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
    const app = Object.keys(appCalls).find((name) => callAccess(name, call.subject) !== 'none') ?? 'gateway';
    let caller = this.callers.get(app);
    if (!caller) {
      caller = new ServiceIdentity(app, [this.secretOf(app)], this.directoryOf);
      this.callers.set(app, caller);
    }
    return caller.sign(callee, call);
  }
}
