import { ProviderError, readReply, readFields, readList } from '@tollbridge/http';
import type { Progress } from '../../../purchases/purchase';
import type { ReloadlyApi, ReloadlyClient, ReloadlyRead } from './reloadly.client';
import { isDuplicateReference, purchaseFailure } from './reloadly.errors';

const provider = 'reloadly';

type Mapping<T> = (reply: unknown) => T;

export interface FindBy<Result extends object> {
  reference: string;
  /** Returns the field of a reported transaction that contains our reference. */
  referenceOf(item: unknown): unknown;
  map: Mapping<Progress<Result>>;
}

/** The requests that gift cards, airtime and bills share. A failure of the provider throws ProviderError. */
export class ReloadlyRequests {
  constructor(private readonly client: ReloadlyClient) {}

  async read<T>(api: ReloadlyApi, request: ReloadlyRead, map: Mapping<T>): Promise<T> {
    const reply = await this.client.read(api, request);
    return readReply(provider, () => map(reply), 'badReply');
  }

  /** Reads a resource. Returns undefined when the provider does not have it (`missingStatuses`). */
  async readIfThere<T>(api: ReloadlyApi, request: ReloadlyRead, map: Mapping<T>): Promise<T | undefined> {
    try {
      return await this.read(api, request, map);
    } catch (error) {
      if (error instanceof ProviderError && isMissing(error)) return undefined;
      throw error;
    }
  }

  /**
   * Sends a purchase once.
   * @param find looks the purchase up when the provider reports our reference as a duplicate
   * @throws DomainError PURCHASE_REFUSED when the provider declined, ProviderError for other failures
   */
  async buy<Result extends object>(
    { api, path, body }: { api: ReloadlyApi; path: string; body: object },
    map: Mapping<Progress<Result>>,
    find: () => Promise<Progress<Result> | undefined>,
  ): Promise<Progress<Result>> {
    try {
      const reply = await this.client.buy(api, path, body);
      return readReply(provider, () => map(reply), 'unknownOutcome');
    } catch (error) {
      const found = isDuplicateReference(error) ? await find().catch(() => undefined) : undefined;
      if (found) return found;
      throw purchaseFailure(error);
    }
  }

  /** Searches the provider's reports for a purchase with our reference. */
  async find<Result extends object>(
    api: ReloadlyApi,
    request: ReloadlyRead,
    { reference, referenceOf, map }: FindBy<Result>,
  ): Promise<Progress<Result> | undefined> {
    return this.read(api, request, (reply) => {
      const content = readList(readFields(reply, 'report')['content'], 'content');
      // The provider may ignore the filter of the query and return other purchases too.
      const own = content.find((item) => referenceOf(item) === reference);
      return own === undefined ? undefined : map(own);
    });
  }
}

// The detection of airtime operators returns 409 for a country that the provider does not support.
const missingStatuses = [404, 409];

const isMissing = ({ kind, status = 0 }: ProviderError): boolean =>
  kind === 'rejected' && missingStatuses.includes(status);
