import type { Deployment } from '@tollbridge/nanopay-protocol';

/** What payments here are signed for. */
export class Deployed {
  constructor(readonly deployment: Deployment) {}
}
