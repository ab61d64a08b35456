import type { Deployment } from '@tollbridge/nanopay-protocol';

/** The deployment that payments are signed for. */
export class Deployed {
  constructor(readonly deployment: Deployment) {}
}
