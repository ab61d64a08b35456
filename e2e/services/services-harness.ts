import type { Api } from '../http';
import type { Harness } from '../harness';

/** What the cases of the service API share: one harness for all. Its fields are set before the first case. */
export interface ServicesHarness {
  harness: Harness;
  api: Api;
  /** The reply of `GET /sandbox`. */
  sandbox: any;
  /** Numbers, codes and other secrets that were shown: no log and no message on the bus may hold one. */
  secrets: string[];
}
