import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ApprovalStatus } from '../rules/approvals';

/** A payment above the owner's limit. Its expiry is derived from `expires_at` and is not a stored status. */
@Entity('approvals')
@Retention(keep('what payers approved: payments refer to it'))
@Index('approvals_payer', ['payer', 'created_at'])
@Index('approvals_open', ['expires_at'], { where: `status IN ('pending', 'approved')` })
@Index('approvals_created', ['created_at', 'id'])
@Index('approvals_status', ['status', 'created_at', 'id'])
@Check('approvals_amount_check', 'amount > 0')
@Check('approvals_status_check', `status IN ('pending', 'approved', 'rejected', 'used', 'expired')`)
@Check('approvals_times', 'updated_at >= created_at')
export class ApprovalRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('bytea')
  payer: Buffer;
  @Column('bytea')
  seller: Buffer;
  @Column('bigint')
  amount: string;
  @Column('bytea')
  resource_hash: Buffer;
  @Column('text')
  status: ApprovalStatus;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  expires_at: Date;
  @Column('timestamptz')
  updated_at: Date;
}
