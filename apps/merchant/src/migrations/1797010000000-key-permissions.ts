import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyPermissions1797010000000 implements MigrationInterface {
  readonly name = 'KeyPermissions1797010000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(morePermissions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(fewerPermissions);
  }
}

// A key with `write` could rotate the webhook secret until now, and still can. No key could change settings.
const morePermissions = `
  ALTER TABLE api_keys DROP CONSTRAINT api_keys_permissions_check;
  ALTER TABLE api_keys ADD CONSTRAINT api_keys_permissions_check
    CHECK (permissions <@ ARRAY['read', 'pay', 'write', 'settings', 'webhooks']);
  UPDATE api_keys SET permissions = array_append(permissions, 'webhooks')
  WHERE 'write' = ANY (permissions) AND deleted_at IS NULL;
`;

const fewerPermissions = `
  -- A key may be left with none: it gains nothing.
  UPDATE api_keys SET permissions = array_remove(array_remove(permissions, 'settings'), 'webhooks')
  WHERE permissions && ARRAY['settings', 'webhooks'];
  ALTER TABLE api_keys DROP CONSTRAINT api_keys_permissions_check;
  ALTER TABLE api_keys ADD CONSTRAINT api_keys_permissions_check
    CHECK (permissions <@ ARRAY['read', 'pay', 'write']);
`;
