import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A channel with its terms and the last settled link. The held payment with the same confirmation id is its
 * reservation.
 */
@Entity('channels')
@Retention(keep('what was charged by each channel, and the link that proves it'))
@Index('channels_open', ['ends_ms'], { where: 'is_open' })
@Check('channels_anchor_check', 'octet_length(anchor) = 32')
@Check('channels_link_check', 'octet_length(link) = 32')
@Check('channels_check', 'units >= 0 AND units <= link_index AND link_index <= length')
export class ChannelRow {
  /** Confirmation id of the payment that opened the channel. */
  @PrimaryColumn('uuid')
  confirmation_id: string;
  @Column('bigint')
  unit: string;
  @Column('integer')
  length: number;
  @Column('bytea')
  anchor: Buffer;
  /** Unix milliseconds. */
  @Column('bigint')
  ends_ms: string;
  @Column('integer')
  link_index: number;
  @Column('bytea')
  link: Buffer;
  /** Charged links so far. */
  @Column('integer')
  units: number;
  @Column('boolean')
  is_open: boolean;
}
