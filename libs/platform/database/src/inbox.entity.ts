import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event of another service that a consumer has handled. */
@Entity('inbox')
export class InboxRow {
  @PrimaryColumn('text')
  consumer: string;
  @PrimaryColumn('uuid')
  event_id: string;
  @Column('timestamptz', { default: () => 'now()' })
  handled_at: Date;
}
