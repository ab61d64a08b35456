/**
 * Returns statements that keep `updated_at` of these tables at or after `created_at`. The two times may come
 * from clocks that differ, such as those of two replicas. A trigger raises an earlier `updated_at` to
 * `created_at`; a constraint enforces the order.
 */
export const orderTimes = (tables: readonly string[]): string => `
  CREATE FUNCTION order_times() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.updated_at := NEW.created_at;
    RETURN NEW;
  END $$;
  ${tables.map(orderTimesOf).join('')}`;

// The trigger has the condition, so that the function runs only for rows with a wrong order.
const orderTimesOf = (table: string): string => `
  CREATE TRIGGER ${table}_times BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
    WHEN (NEW.updated_at < NEW.created_at) EXECUTE FUNCTION order_times();
  ALTER TABLE ${table} ADD CONSTRAINT ${table}_times CHECK (updated_at >= created_at) NOT VALID;`;

export const dropOrderedTimes = (tables: readonly string[]): string => `
  ${tables.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_times; DROP TRIGGER ${table}_times ON ${table};`).join('')}
  DROP FUNCTION order_times();`;
