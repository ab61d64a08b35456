import type { Api } from '../http';
import type { Harness } from '../harness';

/** Shared by the cases of the service API: one harness for all. Its fields are set before the first case. */
export interface ServicesHarness {
  harness: Harness;
  api: Api;
  /** The reply of `GET /sandbox`. */
  sandbox: any;
  /** Numbers, codes and other secrets that clients received. No log and no message on the bus may contain one. */
  secrets: string[];
}
