import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The generation of the projection that is shown, and the generation of a rebuild in progress. */
@Entity('dashboard_state')
@Retention(keep('one row'))
@Check('dashboard_state_check', 'building > active')
@Check('dashboard_state_singleton_check', 'singleton')
export class DashboardStateEntity {
  @PrimaryColumn({ type: 'boolean', default: true })
  readonly singleton: boolean;

  @Column({ type: 'integer', default: 1 })
  readonly active: number;

  @Column({ type: 'integer', nullable: true })
  readonly building: number | null;

  @Column({ type: 'integer', name: 'last_generation', default: 1 })
  readonly lastGeneration: number;
}
