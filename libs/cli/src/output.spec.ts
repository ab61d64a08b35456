import { printable, printableLines, renderResult, renderTable } from './output';

describe('renderResult', () => {
  it('prints a list in a reply as a table, and how to read the next page', () => {
    const reply = {
      orders: [
        { id: 'a', status: 'settled', note: null },
        { id: 'bbb', status: 'x', note: null },
      ],
      next_cursor: 'c1',
    };
    expect(renderResult(reply, 'orders')).toBe('id   status\na    settled\nbbb  x\nMore: --cursor c1');
  });

  it('prints members of an object, also nested ones', () => {
    expect(renderResult({ id: 'a', direct: { chain: 'base', list: [1] }, none: null, empty: {} })).toBe(
      'id            a\ndirect.chain  base\ndirect.list   [1]\nnone          -\nempty         {}',
    );
  });

  it('prints an empty list, and lists of plain values', () => {
    expect(renderResult([])).toBe('None.');
    expect(renderResult(['a', 2])).toBe('a\n2');
  });

  it('omits columns with objects, and shortens long cells', () => {
    expect(renderTable([{ id: 'a'.repeat(70), inner: { x: 1 } }])).toBe(`id\n${'a'.repeat(59)}…`);
    expect(renderTable([{ inner: { x: 1 } }, { inner: { x: 2 } }])).toBe('inner.x  1\n\ninner.x  2');
  });
});

it('removes terminal control characters', () => {
  expect(printable('a\u001b[2Jb\u202ec\nd')).toBe('a\ufffd[2Jb\ufffdc d');
  expect(printableLines('a\n\tb\u001b\r\nc')).toBe('a\n\tb\ufffd\nc');
  expect(renderResult([{ name: '\u001b]0;x\u0007' }])).not.toMatch(/[\u001b\u0007]/);
});
