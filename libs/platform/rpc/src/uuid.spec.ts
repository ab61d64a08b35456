import { decode } from './declarations/decode';
import { isUuid, Uuid, uuidOf } from './uuid';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

class Asked {
  @Uuid('The thing')
  id: string;
}

describe('uuidOf', () => {
  it.each([id, id.toUpperCase(), '0198F3A2-7c5e-7D41-9a55-3f0e2c1b4a6d'])('reads %s', (text) => {
    expect(uuidOf(text)).toBe(id);
  });

  it.each([
    '',
    'x',
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    `{${id}}`,
    id.replaceAll('-', ''),
    "' OR 1=1--",
  ])('rejects %j', (text) => {
    expect(uuidOf(text)).toBeUndefined();
    expect(isUuid(text)).toBe(false);
  });

  it('accepts upper case, unlike isUuid and Uuid fields', () => {
    expect(isUuid(id)).toBe(true);
    expect(isUuid(id.toUpperCase())).toBe(false);
    expect(decode(Asked, { id })).toMatchObject({ ok: true });
    expect(decode(Asked, { id: id.toUpperCase() })).toMatchObject({
      errors: [{ field: 'id', message: 'must be a uuid in lower case' }],
    });
  });
});
