import {
  bindAddress,
  choice,
  ConfigurationError,
  integer,
  loadConfig,
  port,
  publicUrl,
  text,
  UnusableValue,
  url,
  type Setting,
} from './settings';

const settings = {
  SHOP_DATABASE_URL: url(['postgres'], {
    description: 'the database',
    example: 'postgres://…',
    isSecret: true,
  }),
  SHOP_PORT: port({ description: 'the port', example: '3000', default: 3000 }),
  SHOP_LIFETIME_SECONDS: integer({
    description: 'the lifetime',
    example: '60',
    default: 60,
    min: 1,
    max: 100,
  }),
  SHOP_MODE: choice(['open', 'closed'], { description: 'the mode', example: 'open', default: 'open' }),
  SHOP_PEPPER: text({
    description: 'the pepper',
    example: '…',
    sandboxDefault: 'sandbox-pepper',
    minLength: 8,
  }),
};

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(settings, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};

describe('loadConfig', () => {
  it('reads what is given and takes defaults for the rest, in the sandbox', () => {
    const config = loadConfig(settings, {
      TOLLBRIDGE_ENV: 'sandbox',
      SHOP_DATABASE_URL: 'postgres://localhost/shop',
      SHOP_PORT: '8080',
    });
    expect(config).toEqual({
      environment: 'sandbox',
      SHOP_DATABASE_URL: 'postgres://localhost/shop',
      SHOP_PORT: 8080,
      SHOP_LIFETIME_SECONDS: 60,
      SHOP_MODE: 'open',
      SHOP_PEPPER: 'sandbox-pepper',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each(['test', 'production'])(
    'takes no sandbox default in %s, and names what is missing',
    (environment) => {
      const problems = problemsOf({
        TOLLBRIDGE_ENV: environment,
        SHOP_DATABASE_URL: 'postgres://localhost/shop',
      });
      expect(problems).toEqual(['SHOP_PEPPER is missing (the pepper)']);
    },
  );

  it('names everything that is wrong at once, and repeats no value', () => {
    const secret = 'hunter2';
    const problems = problemsOf({
      TOLLBRIDGE_ENV: 'staging',
      SHOP_DATABASE_URL: `mysql://root:${secret}@localhost/shop`,
      SHOP_PORT: '70000',
      SHOP_LIFETIME_SECONDS: '1.5',
      SHOP_MODE: 'ajar',
      SHOP_PEPPER: secret,
    });
    expect(problems.map((problem) => problem.split(' ', 1)[0])).toEqual([
      'TOLLBRIDGE_ENV',
      ...Object.keys(settings),
    ]);
    expect(problems.join()).not.toContain(secret);
  });

  it('takes an empty variable for one that is absent', () => {
    expect(problemsOf({ TOLLBRIDGE_ENV: 'sandbox', SHOP_DATABASE_URL: '' })).toEqual([
      'SHOP_DATABASE_URL is missing (the database)',
    ]);
  });

  it('reads each of several URLs', () => {
    const of = (value: string) => problemsOf({ TOLLBRIDGE_ENV: 'sandbox', SHOP_DATABASE_URL: value });
    expect(of('postgres://a/b,postgres://c/d')).toEqual([]);
    expect(of('postgres://a/b,http://c/d')).toHaveLength(1);
    expect(of('not a URL')).toHaveLength(1);
  });
});

describe('a value', () => {
  const described = { description: 'a value', example: '' };
  /** What is read, or what is said against it. */
  const read = (setting: Setting<unknown>, value: string): unknown => {
    try {
      return { value: loadConfig({ VALUE: setting }, { TOLLBRIDGE_ENV: 'sandbox', VALUE: value }).VALUE };
    } catch (error) {
      return (error as ConfigurationError).problems.join();
    }
  };

  const integers: [string, unknown][] = [
    ['1', { value: 1 }],
    ['-5', { value: -5 }],
    ['10', { value: 10 }],
    ['-6', 'no'],
    ['11', 'no'],
    ['1.0', 'no'],
    ['1e1', 'no'],
    ['0x5', 'no'],
    [' 5', 'no'],
    ['5\n', 'no'],
    ['٥', 'no'],
    ['9'.repeat(400), 'no'],
    ['NaN', 'no'],
  ];
  it.each(integers)('read as an integer from -5 to 10: %j', (value, expected) => {
    const said = 'VALUE must be an integer from -5 to 10 (a value)';
    expect(read(integer({ ...described, min: -5, max: 10 }), value)).toEqual(
      expected === 'no' ? said : expected,
    );
  });

  it.each([
    ['0', { value: 0 }],
    ['65535', { value: 65_535 }],
    ['65536', 'VALUE must be an integer from 0 to 65535 (a value)'],
  ])('read as a port: %j', (value, expected) => {
    expect(read(port(described), value)).toEqual(expected);
  });

  it.each([
    ['open', { value: 'open' }],
    ['Open', 'VALUE must be one of open, closed (a value)'],
    ['toString', 'VALUE must be one of open, closed (a value)'],
  ])('read as a choice: %j', (value, expected) => {
    expect(read(choice(['open', 'closed'], described), value)).toEqual(expected);
  });

  it.each([
    ['nats://127.0.0.1:4222', true],
    ['tls://user:pass@bus.example', true],
    ['nats://a,tls://b', true],
    ['nats:', false],
    ['nats://', false],
    ['nats:127.0.0.1', false],
    ['http://127.0.0.1', false],
    ['nats://a,', false],
    ['127.0.0.1:4222', false],
  ])('read as the URL of a bus: %j is one: %s', (value, isOne) => {
    const said = 'VALUE must be a URL with nats or tls, and a host (a value)';
    expect(read(url(['nats', 'tls'], described), value)).toEqual(isOne ? { value } : said);
  });
});

describe('a secret', () => {
  const secret = {
    ...text({ description: 'the pepper', example: 'example-pepper', sandboxDefault: 'sandbox-pepper' }),
    isSecret: true,
  };
  const load = (environment: string, value: string) =>
    loadConfig({ SHOP_PEPPER: secret }, { TOLLBRIDGE_ENV: environment, SHOP_PEPPER: value });

  it.each(['example-pepper', 'sandbox-pepper'])(
    'that stands in the examples is good for the sandbox only: %s',
    (value) => {
      expect(load('sandbox', value).SHOP_PEPPER).toBe(value);
      const said = 'SHOP_PEPPER must not be what stands in the examples (the pepper)';
      expect(() => load('production', value)).toThrow(said);
      expect(() => load('test', value)).toThrow(said);
    },
  );

  it('is taken in production when nobody knows it', () => {
    expect(load('production', 'something else').SHOP_PEPPER).toBe('something else');
  });

  it('is not repeated by the error of a reader that was not made for secrets', () => {
    const json: Setting<unknown> = {
      description: 'the keys',
      example: '{}',
      read: (value) => JSON.parse(value),
    };
    const careless = (): unknown =>
      loadConfig({ SHOP_KEYS: json }, { TOLLBRIDGE_ENV: 'sandbox', SHOP_KEYS: 'hunter2' });
    expect(careless).toThrow('SHOP_KEYS cannot be read (the keys)');
    expect(careless).not.toThrow('hunter2');
  });

  it('may be refused by such a reader in words that are shown', () => {
    const even: Setting<string> = {
      description: 'the keys',
      example: 'ab',
      read: (value) => {
        if (value.length % 2 === 1) throw new UnusableValue('must have an even length');
        return value;
      },
    };
    expect(() => loadConfig({ SHOP_KEYS: even }, { TOLLBRIDGE_ENV: 'sandbox', SHOP_KEYS: 'abc' })).toThrow(
      'SHOP_KEYS must have an even length',
    );
  });
});

it('a configuration is typed by its settings', () => {
  const config = loadConfig(settings, {
    TOLLBRIDGE_ENV: 'sandbox',
    SHOP_DATABASE_URL: 'postgres://localhost/shop',
  });
  const port: number = config.SHOP_PORT;
  const mode: 'open' | 'closed' = config.SHOP_MODE;
  // @ts-expect-error it is a number
  const wrong: string = config.SHOP_PORT;
  // @ts-expect-error there is no such setting
  const missing: unknown = config.SHOP_POTR;
  expect([port, mode, wrong, missing]).toEqual([3000, 'open', 3000, undefined]);
  // @ts-expect-error nobody changes it
  expect(() => (config.SHOP_PORT = 1)).toThrow(TypeError);
});

it('a sandbox default is for the sandbox: a wrong environment gets none', () => {
  expect(problemsOf({ TOLLBRIDGE_ENV: 'prod', SHOP_DATABASE_URL: 'postgres://localhost/shop' })).toEqual([
    'TOLLBRIDGE_ENV must be one of sandbox, test, production',
    'SHOP_PEPPER is missing (the pepper)',
  ]);
});

it.each([{}, { TOLLBRIDGE_ENV: '' }])(
  'refuses to start without an environment, and names the values: %j',
  (env) => {
    expect(problemsOf({ ...env, SHOP_DATABASE_URL: 'postgres://localhost/shop' })).toEqual([
      'TOLLBRIDGE_ENV is missing: set it to one of sandbox, test, production',
      'SHOP_PEPPER is missing (the pepper)',
    ]);
  },
);

describe('a sandbox', () => {
  const described = { description: 'where others reach it', example: '127.0.0.1' };
  const reachable = { HOST: bindAddress(described), PUBLIC_URL: publicUrl(described) };
  const local = { TOLLBRIDGE_ENV: 'sandbox', HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000' };
  const load = (env: NodeJS.ProcessEnv) => loadConfig(reachable, { ...local, ...env });

  it.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost', 'LOCALHOST', 'api.localhost'])(
    'listens on %s',
    (HOST) => expect(load({ HOST }).exposed).toBeUndefined(),
  );

  it.each([
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '192.168.1.2',
    '127.0.0.1.example.com',
    'shop.example',
    '::ffff:10.0.0.1',
  ])('does not listen on %s unless it is told so by name', (HOST) => {
    expect(() => load({ HOST })).toThrow(/HOST lets other machines reach a sandbox.*SANDBOX_EXPOSED=on/);
    expect(() => load({ HOST, SANDBOX_EXPOSED: 'off' })).toThrow('HOST lets other machines reach a sandbox');
    expect(load({ HOST, SANDBOX_EXPOSED: 'on' }).exposed).toEqual(['HOST']);
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000'])(
    'is reached at %s',
    (PUBLIC_URL) => expect(load({ PUBLIC_URL }).exposed).toBeUndefined(),
  );

  it.each([
    'https://pay.example',
    'http://10.0.0.1',
    'http://localhost.example',
    'http://[::]',
    'http://localhost,https://a.example',
  ])('is not reached at %s unless it is told so by name', (PUBLIC_URL) => {
    expect(() => load({ PUBLIC_URL })).toThrow('PUBLIC_URL lets other machines reach a sandbox');
    expect(load({ PUBLIC_URL, SANDBOX_EXPOSED: 'on' }).exposed).toEqual(['PUBLIC_URL']);
  });

  it('is exposed by no other word than on', () => {
    expect(() => load({ SANDBOX_EXPOSED: 'yes' })).toThrow('SANDBOX_EXPOSED must be one of on, off');
  });

  it('alone is refused: other environments ask for proof', () => {
    expect(load({ TOLLBRIDGE_ENV: 'test', HOST: '0.0.0.0' }).exposed).toBeUndefined();
  });
});
