import { DomainError } from '@tollbridge/rpc';

export interface NamedProvider {
  /** Stored with each purchase. It must never change. */
  readonly name: string;
  /** How long the provider may still process a request after its reply was lost. */
  readonly settleMs: number;
}

/** Provider of older purchases, which were stored without a provider name. */
const providerBeforeNames = 'reloadly';

/** The configured providers of one capability, in registry order. The first one serves new purchases. */
export class Providers<T extends NamedProvider> {
  constructor(private readonly all: readonly T[]) {}

  /** @throws DomainError SERVICE_UNAVAILABLE when no provider is configured */
  get seller(): T {
    const [first] = this.all;
    if (!first)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Gift cards, airtime and bills are not configured in this deployment.',
      );
    return first;
  }

  /**
   * Returns the provider that a stored purchase was made with, whichever provider is first now.
   * @throws DomainError SERVICE_UNAVAILABLE when that provider is not configured
   */
  byName(name: string | null): T {
    const found = this.all.find((provider) => provider.name === (name ?? providerBeforeNames));
    if (!found)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'The provider of this purchase is not configured in this deployment.',
      );
    return found;
  }

  /** The longest `settleMs` of all providers. */
  get settleMs(): number {
    return Math.max(0, ...this.all.map((provider) => provider.settleMs));
  }
}
