import type { MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface & MigrationTraits;

/** Declarations of a migration. */
export interface MigrationTraits {
  /** False for a migration that must run outside of a transaction. Such a migration has only one statement. */
  readonly transaction?: boolean;
  /**
   * Allows a migration to remove objects that earlier releases used. `unusedSince` is the first release without them.
   */
  readonly contract?: { readonly unusedSince: number };
}
