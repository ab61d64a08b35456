import type { MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface & MigrationTraits;

/** What a migration says about itself. */
export interface MigrationTraits {
  /** False for a migration that must run outside of a transaction; such a migration has one statement only. */
  readonly transaction?: boolean;
  /** Allows a migration to remove what the code of an earlier release used, up to that release. */
  readonly contract?: { readonly unusedSince: number };
}
