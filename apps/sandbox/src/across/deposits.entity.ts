import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** Deposits to the spoke pools of local chains. */
@Entity('bridge_deposits')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Unique('bridge_deposits_origin_chain_id_spoke_pool_deposit_id_key', [
  'originChainId',
  'spokePool',
  'depositId',
])
@Index('bridge_deposits_tx', ['txHash'])
@Index('bridge_deposits_open', ['id'], { where: `status IN ('pending', 'expired')` })
@Check(
  'bridge_deposits_status_check',
  `status IN ('pending', 'filling', 'filled', 'expired', 'refunding', 'refunded')`,
)
export class BridgeDepositEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;
  @Column('bigint', { name: 'origin_chain_id' })
  originChainId: string;
  /** A redeployed pool numbers its deposits from zero again. */
  @Column('text', { name: 'spoke_pool' })
  spokePool: string;
  @Column('numeric', { name: 'deposit_id', precision: 78, scale: 0 })
  depositId: string;
  @Column('numeric', { name: 'destination_chain_id', precision: 78, scale: 0 })
  destinationChainId: string;
  @Column('text', { name: 'tx_hash' })
  txHash: string;
  /** Relay data of the deposit event, in the form of a fill. */
  @Column('json')
  relay: object;
  @Column('text')
  outcome: string;
  @Column('text', { default: 'pending' })
  status: string;
  /** Null for a fill without calls. */
  @Column('boolean', { name: 'actions_succeeded', nullable: true })
  actionsSucceeded: boolean | null;
  @Column('text', { name: 'fill_tx', nullable: true })
  fillTx: string | null;
  @Column('text', { name: 'refund_tx', nullable: true })
  refundTx: string | null;
  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;
  @Column('timestamptz', { name: 'expired_at', nullable: true })
  expiredAt: Date | null;
}

/** Height of the last block that was read for deposits of a chain's pool. */
@Entity('bridge_cursors')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class BridgeCursorEntity {
  @PrimaryColumn('bigint', { name: 'chain_id' })
  chainId: string;
  @PrimaryColumn('text', { name: 'spoke_pool' })
  spokePool: string;
  @Column('bigint')
  height: string;
}
