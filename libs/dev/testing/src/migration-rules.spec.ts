import { statementsOf } from './migration-rules';

describe('statementsOf', () => {
  it('splits a text and omits comments, strings and bodies of functions', () => {
    const text = `
      -- DELETE FROM orders; in a comment
      INSERT INTO orders VALUES ('a; DELETE FROM orders', 'it''s');
      CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM orders; END $$ LANGUAGE plpgsql;
      /* ; */ ANALYZE`;
    expect(statementsOf(text)).toEqual([
      `INSERT INTO orders VALUES ('', '')`,
      `CREATE FUNCTION f() RETURNS trigger AS '' LANGUAGE plpgsql`,
      'ANALYZE',
    ]);
  });
});
