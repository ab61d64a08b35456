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

const errorsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(settings, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};

describe('loadConfig', () => {
  it('reads given values, and uses defaults for the others in the sandbox', () => {
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
    'uses no sandbox default in %s, and reports the missing variable',
    (environment) => {
      const problems = errorsOf({
        TOLLBRIDGE_ENV: environment,
        SHOP_DATABASE_URL: 'postgres://localhost/shop',
      });
      expect(problems).toEqual(['SHOP_PEPPER is missing (the pepper)']);
    },
  );

  it('reports all invalid variables at once, without their values', () => {
    const secret = 'hunter2';
    const problems = errorsOf({
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

  it('treats an empty variable as missing', () => {
    expect(errorsOf({ TOLLBRIDGE_ENV: 'sandbox', SHOP_DATABASE_URL: '' })).toEqual([
      'SHOP_DATABASE_URL is missing (the database)',
    ]);
  });

  it('validates each of several URLs', () => {
    const of = (value: string) => errorsOf({ TOLLBRIDGE_ENV: 'sandbox', SHOP_DATABASE_URL: value });
    expect(of('postgres://a/b,postgres://c/d')).toEqual([]);
    expect(of('postgres://a/b,http://c/d')).toHaveLength(1);
    expect(of('not a URL')).toHaveLength(1);
  });
});

describe('a setting that was renamed', () => {
  const renamed = {
    SHOP_PORT_NUMBER: port({ description: 'the port', example: '1', default: 3000, formerName: 'SHOP_PORT' }),
  };
  const load = (env: NodeJS.ProcessEnv) => loadConfig(renamed, { TOLLBRIDGE_ENV: 'test', ...env });
  const message = 'SHOP_PORT is renamed to SHOP_PORT_NUMBER: set SHOP_PORT_NUMBER instead';

  it('stops the start when its former name has a value', () => {
    expect(() => load({ SHOP_PORT: '8080' })).toThrow(message);
    expect(() => load({ SHOP_PORT: '8080', SHOP_PORT_NUMBER: '8080' })).toThrow(message);
  });

  it.each(['tcp://10.0.0.1:80', 'udp://10.0.0.1:80', 'sctp://10.0.0.1:80', ''])(
    'ignores "%s" under its former name',
    (SHOP_PORT) => {
      expect(load({ SHOP_PORT }).SHOP_PORT_NUMBER).toBe(3000);
      expect(load({ SHOP_PORT, SHOP_PORT_NUMBER: '8080' }).SHOP_PORT_NUMBER).toBe(8080);
    },
  );
});

describe('integer, port, choice and url', () => {
  const described = { description: 'a value', example: '' };
  /** Returns the value that is read, or the error message. */
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
  it.each(integers)('integer accepts only integers from -5 to 10: %j', (value, expected) => {
    const message = 'VALUE must be an integer from -5 to 10 (a value)';
    expect(read(integer({ ...described, min: -5, max: 10 }), value)).toEqual(
      expected === 'no' ? message : expected,
    );
  });

  it.each([
    ['0', { value: 0 }],
    ['65535', { value: 65_535 }],
    ['65536', 'VALUE must be an integer from 0 to 65535 (a value)'],
  ])('port accepts only ports: %j', (value, expected) => {
    expect(read(port(described), value)).toEqual(expected);
  });

  it.each([
    ['open', { value: 'open' }],
    ['Open', 'VALUE must be one of open, closed (a value)'],
    ['toString', 'VALUE must be one of open, closed (a value)'],
  ])('choice accepts only the listed choices: %j', (value, expected) => {
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
  ])('url accepts only URLs of the listed protocols with a host: %j (%s)', (value, isOne) => {
    const message = 'VALUE must be a URL with nats or tls, and a host (a value)';
    expect(read(url(['nats', 'tls'], described), value)).toEqual(isOne ? { value } : message);
  });
});

describe('loadConfig with a secret', () => {
  const secret = {
    ...text({ description: 'the pepper', example: 'example-pepper', sandboxDefault: 'sandbox-pepper' }),
    isSecret: true,
  };
  const load = (environment: string, value: string) =>
    loadConfig({ SHOP_PEPPER: secret }, { TOLLBRIDGE_ENV: environment, SHOP_PEPPER: value });

  it.each(['example-pepper', 'sandbox-pepper'])(
    'accepts the public value %s in the sandbox only',
    (value) => {
      expect(load('sandbox', value).SHOP_PEPPER).toBe(value);
      const message = 'SHOP_PEPPER must not be a value from the examples (the pepper)';
      expect(() => load('production', value)).toThrow(message);
      expect(() => load('test', value)).toThrow(message);
    },
  );

  it('accepts a value in production that is not in the examples', () => {
    expect(load('production', 'something else').SHOP_PEPPER).toBe('something else');
  });

  it('omits the value from the error when a reader throws another error', () => {
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

  it('reports the message of an UnusableValue', () => {
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

describe('loadConfig by environment', () => {
  it('returns a frozen object that is typed by its settings', () => {
    const config = loadConfig(settings, {
      TOLLBRIDGE_ENV: 'sandbox',
      SHOP_DATABASE_URL: 'postgres://localhost/shop',
    });
    const port: number = config.SHOP_PORT;
    const mode: 'open' | 'closed' = config.SHOP_MODE;
    // @ts-expect-error SHOP_PORT is a number
    const wrong: string = config.SHOP_PORT;
    // @ts-expect-error SHOP_POTR is not a setting
    const missing: unknown = config.SHOP_POTR;
    expect([port, mode, wrong, missing]).toEqual([3000, 'open', 3000, undefined]);
    // @ts-expect-error the configuration is read-only
    expect(() => (config.SHOP_PORT = 1)).toThrow(TypeError);
  });

  it('uses no sandbox default in an unknown environment', () => {
    expect(errorsOf({ TOLLBRIDGE_ENV: 'prod', SHOP_DATABASE_URL: 'postgres://localhost/shop' })).toEqual([
      'TOLLBRIDGE_ENV must be one of sandbox, test, production',
      'SHOP_PEPPER is missing (the pepper)',
    ]);
  });

  it.each([{}, { TOLLBRIDGE_ENV: '' }])(
    'rejects a missing environment and lists the valid ones: %j',
    (env) => {
      expect(errorsOf({ ...env, SHOP_DATABASE_URL: 'postgres://localhost/shop' })).toEqual([
        'TOLLBRIDGE_ENV is missing: set it to one of sandbox, test, production',
        'SHOP_PEPPER is missing (the pepper)',
      ]);
    },
  );
});

describe('loadConfig in a sandbox', () => {
  const described = { description: 'where others reach it', example: '127.0.0.1' };
  const reachable = { HOST: bindAddress(described), PUBLIC_URL: publicUrl(described) };
  const local = { TOLLBRIDGE_ENV: 'sandbox', HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000' };
  const load = (env: NodeJS.ProcessEnv) => loadConfig(reachable, { ...local, ...env });

  it.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost', 'LOCALHOST', 'api.localhost'])(
    'accepts the loopback address %s',
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
  ])('rejects the address %s without SANDBOX_EXPOSED=on', (HOST) => {
    expect(() => load({ HOST })).toThrow(/HOST lets other machines reach a sandbox.*SANDBOX_EXPOSED=on/);
    expect(() => load({ HOST, SANDBOX_EXPOSED: 'off' })).toThrow('HOST lets other machines reach a sandbox');
    expect(load({ HOST, SANDBOX_EXPOSED: 'on' }).exposed).toEqual(['HOST']);
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000'])(
    'accepts the loopback URL %s',
    (PUBLIC_URL) => expect(load({ PUBLIC_URL }).exposed).toBeUndefined(),
  );

  it.each([
    'https://pay.example',
    'http://10.0.0.1',
    'http://localhost.example',
    'http://[::]',
    'http://localhost,https://a.example',
  ])('rejects the URL %s without SANDBOX_EXPOSED=on', (PUBLIC_URL) => {
    expect(() => load({ PUBLIC_URL })).toThrow('PUBLIC_URL lets other machines reach a sandbox');
    expect(load({ PUBLIC_URL, SANDBOX_EXPOSED: 'on' }).exposed).toEqual(['PUBLIC_URL']);
  });

  it('rejects values of SANDBOX_EXPOSED other than on and off', () => {
    expect(() => load({ SANDBOX_EXPOSED: 'yes' })).toThrow('SANDBOX_EXPOSED must be one of on, off');
  });

  it('accepts a public address in other environments', () => {
    expect(load({ TOLLBRIDGE_ENV: 'test', HOST: '0.0.0.0' }).exposed).toBeUndefined();
  });
});
