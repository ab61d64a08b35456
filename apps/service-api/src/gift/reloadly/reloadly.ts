import { DomainError } from '@tollbridge/rpc';
import { ProviderError, readReply } from '@tollbridge/http';
import type { Progress } from '../../purchases/purchase';
import type { ReloadlyApi, ReloadlyClient, ReloadlyRead } from './reloadly.client';
import { isKnownThere, purchaseFailure, readFailure } from './reloadly.errors';
import { fieldsOf, listOf } from './reloadly.fields';

const provider = 'reloadly';

type Mapping<T> = (reply: unknown) => T;

/** The provider of gift cards, airtime and bills, as the features of this app ask it. */
export class Reloadly {
  /** @param client null where it is not configured */
  constructor(private readonly client: ReloadlyClient | null) {}

  /**
   * What the provider says, for a reply.
   * @throws DomainError
   */
  async read<T>(api: ReloadlyApi, request: ReloadlyRead, map: Mapping<T>): Promise<T> {
    try {
      const reply = await this.configured.read(api, request);
      return readReply(provider, () => map(reply), 'badReply');
    } catch (error) {
      throw readFailure(error);
    }
  }

  /**
   * The same; undefined where it knows of no such thing.
   * @throws DomainError
   */
  async readIfThere<T>(api: ReloadlyApi, request: ReloadlyRead, map: Mapping<T>): Promise<T | undefined> {
    try {
      const reply = await this.configured.read(api, request);
      return readReply(provider, () => map(reply), 'badReply');
    } catch (error) {
      if (error instanceof ProviderError && isNothingThere(error)) return undefined;
      throw readFailure(error);
    }
  }

  /**
   * Buys, once.
   * @param find what became of it: asked when the provider knows our reference already
   */
  async buy(
    { api, path, body }: { api: ReloadlyApi; path: string; body: object },
    map: Mapping<Progress>,
    find: () => Promise<Progress | undefined>,
  ): Promise<Progress> {
    try {
      const reply = await this.configured.buy(api, path, body);
      return readReply(provider, () => map(reply), 'unknownOutcome');
    } catch (error) {
      const found = isKnownThere(error) ? await find().catch(() => undefined) : undefined;
      if (found) return found;
      throw purchaseFailure(error);
    }
  }

  /** Looks for a purchase by our reference among the provider's reports. */
  async find(
    api: ReloadlyApi,
    request: ReloadlyRead,
    { reference, referenceOf, map }: FindBy,
  ): Promise<Progress | undefined> {
    const reply = await this.configured.read(api, request);
    return readReply(
      provider,
      () => {
        const content = listOf(fieldsOf(reply, 'report')['content'], 'content');
        // What others have made: filters are hints only.
        const own = content.find((item) => referenceOf(item) === reference);
        return own === undefined ? undefined : map(own);
      },
      'badReply',
    );
  }

  private get configured(): ReloadlyClient {
    if (this.client) return this.client;
    const sentence = 'Gift cards, airtime and bills are not configured in this deployment.';
    throw new DomainError('SERVICE_UNAVAILABLE', sentence);
  }
}

export interface FindBy {
  reference: string;
  referenceOf(item: unknown): unknown;
  map: Mapping<Progress>;
}

const statusesOfNothing = [404, 409];

const isNothingThere = ({ kind, status = 0 }: ProviderError): boolean =>
  kind === 'rejected' && statusesOfNothing.includes(status);

const ends: Readonly<Record<string, Progress['status']>> = {
  SUCCESSFUL: 'completed',
  REFUNDED: 'refunded',
  FAILED: 'failed',
};

/** What is not known to be over is under way. */
export const statusOf = (status: unknown): Progress['status'] =>
  (typeof status === 'string' && Object.hasOwn(ends, status) && ends[status]) || 'pending';
