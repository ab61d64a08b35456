import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Repository } from 'typeorm';
import { ClockEntity } from './clock.entity';

@Injectable()
export class ClockRepository {
  private readonly rows: Repository<ClockEntity>;

  constructor({ dataSource }: Database) {
    this.rows = dataSource.getRepository(ClockEntity);
  }

  /** Returns milliseconds ahead of the real time. */
  async aheadMs(): Promise<number> {
    return Number((await this.rows.findOneByOrFail({ name: 'sandbox' })).aheadMs);
  }

  /** Advances the clock, unless it would then be ahead by more than `mostMs`. @returns whether it was advanced */
  async advance(byMs: number, mostMs: number): Promise<boolean> {
    const { affected } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ aheadMs: () => 'ahead_ms + :byMs' })
      .where('ahead_ms + :byMs <= :mostMs', { byMs, mostMs })
      .execute();
    return affected === 1;
  }
}
