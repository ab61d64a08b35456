import { Controller, Inject } from '@nestjs/common';
import {
  ledgerApi,
  type LedgerEntriesQuery,
  type LedgerEntriesReply,
  type LedgerEntry,
  type LedgerProofQuery,
  type LedgerProofReply,
} from '@tollbridge/contracts';
import { DomainError, Handles, merchantOf, readPage, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import {
  noReference,
  PaymentReferences,
  type RecordReference,
} from '../payments/requests/payment-references.repository';
import { LedgerChecks } from './ledger-checks';
import { proofOf } from './ledger-proof';
import { LedgerRepository, segmentOf, type EntryRow } from './ledger.repository';

@Controller()
@Handles(ledgerApi)
export class LedgerHandlers {
  constructor(
    private readonly checks: LedgerChecks,
    private readonly ledger: LedgerRepository,
    private readonly references: PaymentReferences,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async proveLedger({ segment }: LedgerProofQuery, context: CallContext): Promise<LedgerProofReply> {
    const inspection = await this.checks.check(merchantOf(context), (head, longestUnchecked) => {
      const newest = segmentOf(head.lastSeq);
      if (segment !== undefined && segment > newest) throw noSuchSegment();
      // The newest segment still changes, the check of the longest unchecked one is due, and a failed one may be
      // repaired.
      const wanted = [newest, longestUnchecked, head.haltedSegment ?? newest, segment ?? newest];
      return [...new Set(wanted)];
    });
    if (!inspection && segment !== undefined) throw noSuchSegment();
    return proofOf(inspection, this.clock.now());
  }

  async listLedgerEntries(query: LedgerEntriesQuery, context: CallContext): Promise<LedgerEntriesReply> {
    const [seq, position] = (query.cursor ?? '').split('.').map(Number);
    const before = query.cursor === undefined ? undefined : { seq: seq!, position: position! };
    const { page, limit, next } = await readPage(
      query.limit!,
      (most) => this.ledger.entries(merchantOf(context), most, before),
      (last) => `${last.seq}.${last.position}`,
    );
    const references = await this.references.of(page.map(keyOf));
    const entries = page.map((row) => viewOf(row, references.get(keyOf(row))));
    return { entries, limit, next_cursor: next };
  }
}

function noSuchSegment(): DomainError {
  return DomainError.invalid([{ field: 'segment', message: 'must be less than the number of segments' }]);
}

/** References have the form `order:<id>` or `paylink:<id of the payment>`. */
const keyOf = ({ reference }: EntryRow): string => reference.slice(reference.indexOf(':') + 1);

function viewOf(row: EntryRow, request: RecordReference | undefined): LedgerEntry {
  const { payment_request_id, paylink_id, metadata, description } = request ?? noReference;
  return {
    seq: Number(row.seq),
    position: row.position,
    transaction_id: row.id,
    kind: row.kind,
    reference: row.reference,
    version: row.version,
    account: row.account,
    chain: row.chain,
    token: row.token,
    amount: row.amount,
    occurred_at: row.occurred_at.toISOString(),
    hash: row.hash.toString('hex'),
    description,
    payment_request_id,
    paylink_id,
    metadata,
  };
}
