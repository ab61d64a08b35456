import { Module } from '@nestjs/common';
import { Peppers } from './peppers';

/** The peppers of stored secrets. */
@Module({ providers: [Peppers], exports: [Peppers] })
export class PeppersModule {}
