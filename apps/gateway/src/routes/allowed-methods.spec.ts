import { AllowedMethods } from './allowed-methods';

const table = new AllowedMethods();
table.add('/order/:id', 'GET');
table.add('/order/:id', ['HEAD']);
table.add('/order/:id/tx', 'POST');
table.add('/order/new', 'POST');
table.add('/logos/*', ['GET', 'HEAD']);
table.add('/', 'GET');

describe('AllowedMethods', () => {
  it.each([
    ['/order/1', ['GET', 'HEAD']],
    ['/order/1/', ['GET', 'HEAD']],
    ['/order/new', ['GET', 'HEAD', 'POST']],
    ['/order/1/tx', ['POST']],
    ['/logos/chains/base.svg', ['GET', 'HEAD']],
    ['/', ['GET']],
  ])('returns the methods of %s', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });

  it.each(['/order', '/order/', '/order//tx', '/order/1/tx/2', '/Order/1', '/logos', '', 'order/1'])(
    'returns no methods for %j',
    (path) => {
      expect(table.methodsOf(path)).toEqual([]);
    },
  );
});
