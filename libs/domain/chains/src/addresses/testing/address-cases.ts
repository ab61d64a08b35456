import { chains } from '../../registry';

/** Addresses that one format must accept, and texts that the format must reject. */
export interface AddressCases {
  /** Completes "this is … address". */
  label: string;
  chains: string[];
  /** Each spelling with its canonical form; true if they are equal. */
  good: [string, string | true][];
  /** Addresses with one wrong character or letter case; empty for a format without a checksum. */
  wrongChecksum: string[];
  /** Addresses that are cut off at the end. */
  truncated: string[];
  unowned: string[];
  unfit: [string, RegExp][];
  /** Addresses of a test network; empty if both networks use the same form. */
  wrongNetwork: string[];
}

const evmChains = chains.filter((chain) => chain.family === 'evm').map((chain) => chain.id);

export const usdcOnBase = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const moveAccount = '0x4811486fe962452e3106e2991b88201703e08c4ee3772d120e941ee057cb3496';
export const basechainHash = 'b67b2f24499279561787cedb03ba2d02e21ea800e6c72475008edeabb481a015';
export const tonWallet = 'UQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFQFf';
export const shelleyWallet =
  'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x';
const sapling = 'zs1z7rejlpsa98s2rrrfkwmaxu53e4ue0ulcrw0h4x5g8jl04tak0d3mm47vdtahatqrlkngh9slya';
const unified =
  'u1l8xunezsvhq8fgzfl7404m450nwnd76zshscn6nfys7vyz2ywyh4cc5daaq0c7q2su5lqfh23sp7fkf3kt27ve5948mzpfdvckzaect2jtte308mkwlycj2u0eac077wu70vqcetkxf';

// Without another stated source, the address contains 20 or 32 bytes of sha256("tollbridge").
export const addressCases: readonly AddressCases[] = [
  {
    label: 'an EVM',
    chains: evmChains,
    good: [
      [usdcOnBase, true],
      [usdcOnBase.toLowerCase(), usdcOnBase],
      [`0x${usdcOnBase.slice(2).toUpperCase()}`, usdcOnBase],
      // Examples of EIP-55: upper case, lower case, and mixed.
      ['0x52908400098527886E0F7030069857D2E4169EE7', true],
      ['0xde709f2102306220921060314715629080e2fb77', true],
      ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', true],
      // A contract may have an address with eight leading zero bytes.
      ['0x00000000219ab540356cBB839Cbe05303d7705Fa', true],
    ],
    wrongChecksum: [
      usdcOnBase.replace('fCD6', 'fcD6'),
      usdcOnBase.replace('2913', '2914'),
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5D359',
    ],
    truncated: [usdcOnBase.slice(0, -1)],
    unowned: [
      `0x${'0'.repeat(40)}`,
      '0x0000000000000000000000000000000000000001',
      '0x0000000000000000000000000000000000000009',
      '0x0000000000000000000000000000000000000100',
      '0x000000000000000000000000000000000000dEaD',
      '0x000000000000000000000000000000000000dead',
      '0xdEAD000000000000000042069420694206942069',
      '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
      `0x${'f'.repeat(40)}`,
      `0x${'F'.repeat(40)}`,
    ],
    unfit: [
      [usdcOnBase.slice(2), /must be 0x and 40 hexadecimal digits/],
      [`0X${usdcOnBase.slice(2)}`, /must be 0x and 40/],
      [`${usdcOnBase}0`, /must be 0x and 40/],
      ['XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36', /must be 0x and 40/],
      ['vitalik.eth', /must be 0x and 40/],
      [`0x${'g'.repeat(40)}`, /must be 0x and 40/],
    ],
    wrongNetwork: [],
  },
  {
    label: 'a TON',
    chains: ['ton'],
    good: [
      [tonWallet, true],
      ['EQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFVya', tonWallet],
      [`0:${basechainHash}`, tonWallet],
      [`0:${basechainHash.toUpperCase()}`, tonWallet],
      // The same jetton master in both base64 alphabets.
      [
        'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
        'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p',
      ],
      [
        'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id/sDs',
        'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p',
      ],
      [
        'Ef-2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFaPS',
        'Uf-2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFf4X',
      ],
    ],
    wrongChecksum: ['UQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFQFg', tonWallet.replace('UQ', 'EQ')],
    truncated: [tonWallet.slice(0, -1), `0:${basechainHash.slice(0, -1)}`],
    unowned: [
      'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
      `0:${'0'.repeat(64)}`,
      `-1:${'0'.repeat(64)}`,
    ],
    unfit: [
      ['kQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFecQ', /for the TON test network/],
      ['0QC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFbrV', /for the TON test network/],
      [`1:${basechainHash}`, /must be 0 or -1/],
      [`00:${basechainHash}`, /must be 0 or -1/],
      ['alice.ton', /must have 48 characters/],
    ],
    wrongNetwork: [
      'kQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFecQ',
      '0QC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFbrV',
    ],
  },
  {
    label: 'a Solana',
    chains: ['solana'],
    good: [
      ['DHL9T4LRT3JhnQP9MQcWNPTkc2k2ugLkqA9LH2Rzozqr', true],
      ['6iTpVEx7Ye6wvvrnXBLf6FPhENrCu8mKGswzhem2pJ1m', true],
      // A program-derived address (vector of web3.js for "Talking", "Squirrels"): it has no key, but can own tokens.
      ['HwRVBufQ4haG5XSgpspwKtNd3PC9GM9m1196uJW36vds', true],
    ],
    wrongChecksum: [],
    truncated: ['DHL9T4LRT3JhnQP9MQcWNPTkc2k2ugLkqA9LH', 'DHL9T4LRT3JhnQP9MQcWNPTkc2k2u'],
    unowned: [
      '11111111111111111111111111111111',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'So11111111111111111111111111111111111111112',
      '1nc1nerator11111111111111111111111111111111',
    ],
    unfit: [
      ['DHL9T4LRT3JhnQP9MQcWNPTkc2k2ugLkqA9LH2Rzozq0', /without 0, O, I and l/],
      ['z'.repeat(44), /does not stand for 32 bytes/],
      ['1'.repeat(33), /does not stand for 32 bytes/],
    ],
    wrongNetwork: [],
  },
  {
    label: 'a Tron',
    chains: ['tron'],
    good: [
      ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', true],
      ['TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL', true],
    ],
    wrongChecksum: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'TR7NHqjeKQxGTCi8q8ZY4pL8otszgjLj6t'],
    truncated: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6'],
    unowned: ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'],
    unfit: [['418840E6C55B9ADA326D211D818C34A994AECED808', /must start with T/]],
    wrongNetwork: [],
  },
  {
    label: 'a Sui, Aptos or Starknet',
    chains: ['sui', 'aptos'],
    good: [
      [moveAccount, true],
      [`0x${moveAccount.slice(2).toUpperCase()}`, moveAccount],
      [`0x${'0'.repeat(59)}10000`, true],
    ],
    wrongChecksum: [],
    truncated: [moveAccount.slice(0, -1), moveAccount.slice(0, 30)],
    unowned: [`0x${'0'.repeat(64)}`, `0x${'0'.repeat(63)}2`, `0x${'0'.repeat(60)}dee9`],
    unfit: [
      ['0x2', /must be 0x and 64/],
      ['@alice', /must be 0x and 64/],
      [`0X${moveAccount.slice(2)}`, /must be 0x and 64/],
      [`${moveAccount}::usdc::USDC`, /must be 0x and 64/],
    ],
    wrongNetwork: [],
  },
  {
    label: 'a Starknet',
    chains: ['starknet'],
    good: [
      [
        '0x2fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
        '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
      ],
      // Checksummed forms from Circle and Starknet, and the example of starknet.js.
      [
        '0x033068F6539f8e6e6b131e6B2B814e6c34A5224bC66947c47DaB9dFeE93b35fb',
        '0x033068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab9dfee93b35fb',
      ],
      [
        '0x04718f5a0Fc34cC1AF16A1cdee98fFB20C31f5cD61D6Ab07201858f4287c938D',
        '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
      ],
      [
        '0x02Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914',
        '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
      ],
      [
        '0x2FD23D9182193775423497FC0C472E156C57C69E4089A1967FB288A2D84E914',
        '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
      ],
    ],
    wrongChecksum: [
      '0x033068F6539f8e6e6b131e6B2B814e6c34A5224bC66947c47DaB9dFeE93b35fB',
      '0x2Fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
    ],
    truncated: ['0x033068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab'],
    unowned: [`0x${'0'.repeat(64)}`, `0x${'0'.repeat(63)}1`],
    unfit: [
      [`0x0${'f'.repeat(63)}`, /number is too large/],
      // Exactly 2^251 - 256, the first number that cannot be a contract address.
      [`0x07${'f'.repeat(60)}00`, /number is too large/],
      ['alice.stark', /must be 0x and 63 or 64/],
    ],
    wrongNetwork: [],
  },
  {
    label: 'a NEAR',
    chains: ['near'],
    good: [
      ['alice.near', true],
      ['usdt.tether-token.near', true],
      ['a-b_c.pool.tg', true],
      ['17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1', true],
    ],
    wrongChecksum: [],
    truncated: ['17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a'],
    unowned: ['0'.repeat(64)],
    unfit: [
      ['Alice.near', /lower-case letters/],
      ['a--b.near', /lower-case letters/],
      ['-a.near', /lower-case letters/],
      ['a_.near', /lower-case letters/],
      [`${'a'.repeat(60)}.near`, /2 to 64 characters/],
      ['a..near', /a name such as alice\.near/],
      ['.near', /a name such as alice\.near/],
      ['near', /a name such as alice\.near/],
      ['vitalik.eth', /belongs to another network/],
      ['alice.testnet', /on the NEAR test network/],
      ['17208628F84F5D6AD33F0DA3BBBEB27FFCB398EAC501A31BD6AD2011E36133A1', /64 lower-case hexadecimal/],
    ],
    wrongNetwork: ['alice.testnet'],
  },
  {
    label: 'a Stellar',
    chains: ['stellar'],
    good: [
      ['GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', true],
      ['GC3HWLZEJGJHSVQXQ7HNWA52FUBOEHVIADTMOJDVACHN5K5UQGQBLHTW', true],
      // The muxed account and the contract of the SEP-23 vectors.
      ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK', true],
      ['CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE', true],
    ],
    wrongChecksum: [
      'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVM',
      'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZNV',
    ],
    truncated: ['GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZV'],
    unowned: ['GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
    unfit: [
      ['SC3HWLZEJGJHSVQXQ7HNWA52FUBOEHVIADTMOJDVACHN5K5UQGQBKDAJ', /secret key: never give it/],
      ['ga5zsejyb37jrc5avcia5mop4rhtm335x2kgx3ihojapp5re34k4kzvn', /must start with G/],
      ['XC3HWLZEJGJHSVQXQ7HNWA52FUBOEHVIADTMOJDVACHN5K5UQGQBL6E6', /must start with G/],
    ],
    wrongNetwork: [],
  },
  {
    label: 'an XRP',
    chains: ['xrp'],
    good: [
      ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', true],
      // An X-address without a tag is equal to the account; with a tag it is not.
      ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
      ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', true],
    ],
    wrongChecksum: ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk58', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqz'],
    truncated: ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk5', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cq'],
    unowned: [
      'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
      'rrrrrrrrrrrrrrrrrrrrBZbvji',
      'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
      'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
      'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    ],
    unfit: [
      ['T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ', /for the XRP test network/],
      ['R9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', /must start with r/],
    ],
    wrongNetwork: [
      'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ',
      'T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE',
    ],
  },
  {
    label: 'a Cardano',
    chains: ['cardano'],
    good: [
      // CIP-19 vectors of types 0, 1, 2, 3, 6 and 7.
      [shelleyWallet, true],
      [shelleyWallet.toUpperCase(), shelleyWallet],
      [
        'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
        true,
      ],
      [
        'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
        true,
      ],
      [
        'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
        true,
      ],
      ['addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8', true],
      ['addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx', true],
      // Byron addresses in Icarus and Daedalus style.
      ['Ae2tdPwUPEYwFx4dmJheyNPPYXtvHbJLeCaA96o6Y2iiUL18cAt7AizN2zG', true],
      [
        'DdzFFzCqrhsrcTVhLygT24QwTnNqQqQ8mZrq5jykUzMveU26sxaH529kMpo7VhPrt5pwW3dXeB2k3EEvKcNBRmzCfcQ7dTkyGzTs658C',
        true,
      ],
    ],
    wrongChecksum: [
      shelleyWallet.replace(/x$/, 'y'),
      'Ae2tdPwUPEYwFx4dmJheyNPPYXtvHbJLeCaA96o6Y2iiUL18cAt7AizN2zH',
    ],
    truncated: [shelleyWallet.slice(0, -1), 'Ae2tdPwUPEYwFx4dmJheyNPPYXtvHbJLeCaA96o6Y2iiUL18cAt7AizN2z'],
    unowned: ['addr1vyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkdl5mw'],
    unfit: [
      ['stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw', /stake address/],
      ['addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k', /takes no payments here/],
      ['addr1vzm8kteyfxf8j4shsl8dkqa695pwy84gqrnvwfr4qz8da2cz8pzt6', /contradicts its beginning/],
      [
        'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae',
        /for a Cardano test network/,
      ],
      ['2cWKMJemoBajc46Wu4Z7e6bG48myZWfB7Z6pD77L6PrJQWt9HZ3Yv7o8CYZTBMqHTPTkv', /for a Cardano test network/],
    ],
    wrongNetwork: [
      'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae',
      '2cWKMJemoBajc46Wu4Z7e6bG48myZWfB7Z6pD77L6PrJQWt9HZ3Yv7o8CYZTBMqHTPTkv',
    ],
  },
  {
    label: 'an Aleo',
    chains: ['aleo'],
    good: [
      ['aleo1z848m2ca982lv9gqtqkx86vvgts3vhum5pgw48gvdtulsuvcwugspvydru', true],
      [
        'ALEO1KEAJ7FZFJFU4V9U8EMDS8W3DQT3PA2QQUMRJGAGQ3M02HDYP5Q2SCXP3E7',
        'aleo1keaj7fzfjfu4v9u8emds8w3dqt3pa2qqumrjgagq3m02hdyp5q2scxp3e7',
      ],
    ],
    wrongChecksum: [
      'aleo1z848m2ca982lv9gqtqkx86vvgts3vhum5pgw48gvdtulsuvcwugspvydrv',
      // The same bytes with the checksum of bech32.
      'aleo1keaj7fzfjfu4v9u8emds8w3dqt3pa2qqumrjgagq3m02hdyp5q2sd63auu',
    ],
    truncated: ['aleo1z848m2ca982lv9gqtqkx86vvgts3vhum5pgw48gvdtulsuvcwugspvydr'],
    unowned: ['aleo1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq3ljyzc'],
    unfit: [['Aleo1z848m2ca982lv9gqtqkx86vvgts3vhum5pgw48gvdtulsuvcwugspvydru', /must start with aleo1/]],
    wrongNetwork: [],
  },
  {
    label: 'a Bitcoin',
    chains: ['btc'],
    good: [
      ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', true],
      ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', true],
      ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', true],
      // BIP 173 and BIP 350.
      ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      ['bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', true],
      ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', true],
    ],
    wrongChecksum: [
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp',
      // Version 0 with the checksum of later versions, and the reverse (BIP 350).
      'bc1qkeaj7fzfjfu4v9u8emds8w3dqt3pa2qq8kuvxg',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    ],
    truncated: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5md'],
    unowned: [
      '1111111111111111111114oLvT2',
      '1BitcoinEaterAddressDontSendf59kuE',
      '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
      'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs',
    ],
    unfit: [
      ['mx9pqxA1gmTw7fSeLeWRuiG78JqwJDjHUg', /must start with bc1, 1 or 3/],
      ['tb1qkeaj7fzfjfu4v9u8emds8w3dqt3pa2qqcvhnce', /must start with bc1, 1 or 3/],
      ['bc1pfeessrawgf', /taken by anyone or be lost/],
      ['bc1zkeaj7fzfjfu4v9u8emds8w3dqt3pa2qqumrjgagq3m02hdyp5q2sqy2rxk', /taken by anyone or be lost/],
      // An x coordinate without a point on the curve.
      ['bc1pzq4mzql44gevrguqjn7wdvkuymah83y2jt6v2tuhnutukufwl3xqus6w2k', /taken by anyone or be lost/],
    ],
    wrongNetwork: [
      'mx9pqxA1gmTw7fSeLeWRuiG78JqwJDjHUg',
      '2N9t6YBVW36rQdWJ1RJpX8NPydBk7j1Cm71',
      'tb1qkeaj7fzfjfu4v9u8emds8w3dqt3pa2qqcvhnce',
    ],
  },
  {
    label: 'a Litecoin',
    chains: ['ltc'],
    good: [
      ['LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz', true],
      ['MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441', true],
      ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', true],
      ['ltc1qkeaj7fzfjfu4v9u8emds8w3dqt3pa2qqumrjgagq3m02hdyp5q2sp2a42y', true],
    ],
    wrongChecksum: ['LaMT348PWRnrqeeWArpwQPbuanpXDZGEUy', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n8'],
    truncated: ['LaMT348PWRnrqeeWArpwQPbuanpXDZGEU'],
    unowned: ['LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE'],
    unfit: [
      ['3JKtUSZUReM4RifTkBCeWRQiQqXwsdqtct', /this is a Bitcoin address; the order's chain is Litecoin/],
    ],
    wrongNetwork: ['QdErfCMk4CuVmh443QrYD4qQmaBwdT7zWb', 'tltc1qkeaj7fzfjfu4v9u8emds8w3dqt3pa2qqpy4dgs'],
  },
  {
    label: 'a Dogecoin',
    chains: ['doge'],
    good: [
      ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', true],
      ['A959DHdNViDxL62wAJs4kZ367QuyxiTMVH', true],
    ],
    wrongChecksum: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7K'],
    truncated: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7'],
    unowned: ['D596YFweJQuHY1BbjazZYmAbt8jJPbKehC', 'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
    unfit: [['dH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', /must start with D, 9 or A/]],
    wrongNetwork: ['nkq2pAkb78PgkXipPVB4sxogPKMpg3CSfx'],
  },
  {
    label: 'a Dash',
    chains: ['dash'],
    good: [
      ['XpESxaUmonkq8RaLLp46Brx2K39ggQe226', true],
      ['7gnwGHt17heGpG9Crfeh4KGpYNFugPhJdh', true],
    ],
    wrongChecksum: ['XpESxaUmonkq8RaLLp46Brx2K39ggQe227'],
    truncated: ['XpESxaUmonkq8RaLLp46Brx2K39ggQe22'],
    unowned: ['XagqqFetxiDb9wbartKDrXgnqLah6SqX2S'],
    unfit: [['YpESxaUmonkq8RaLLp46Brx2K39ggQe226', /must start with X or 7/]],
    wrongNetwork: ['ycxKQ6oNGzuLqEVA3pAfyM9vNwKHvH5Rss', '8w4LFxjWNAqKsncg63s7JBDjDu99rLiQq9'],
  },
  {
    label: 'a Bitcoin Cash',
    chains: ['bch'],
    good: [
      ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', true],
      [
        'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
        'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      ],
      [
        'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
        'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      ],
      ['bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', true],
      // The token-aware spelling of the first address, and a script hash of 32 bytes.
      [
        'bitcoincash:zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w',
        'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      ],
      ['bitcoincash:pwm8kteyfxf8j4shsl8dkqa695pwy84gqrnvwfr4qz8da2a5sxsp2dpv8n45q', true],
    ],
    wrongChecksum: ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q'],
    truncated: ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6'],
    unowned: ['bitcoincash:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603'],
    unfit: [
      ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', /this is a Bitcoin address; the order's chain is Bitcoin Cash/],
      ['bitcoincash:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A', /must have the form bitcoincash/],
      ['bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap', /must have the form bitcoincash/],
    ],
    wrongNetwork: ['bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap'],
  },
  {
    label: 'a Zcash',
    chains: ['zec'],
    good: [
      ['t1aWUZEVAr4pGwC1vZWMBDc9hWySK73NY41', true],
      ['t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd', true],
      ['tex1m2g868nlnyw64xnraxzukf4aeuffvn2wyxwjqx', true],
      [sapling, true],
      [unified, true],
    ],
    wrongChecksum: [
      't1aWUZEVAr4pGwC1vZWMBDc9hWySK73NY42',
      sapling.replace(/a$/, 'c'),
      unified.replace(/f$/, 'g'),
    ],
    truncated: ['t1aWUZEVAr4pGwC1vZWMBDc9hWySK73NY4', sapling.slice(0, -1), unified.slice(0, -1)],
    unowned: ['t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs'],
    unfit: [
      ['tmSMDt4yaEjKn5SDNEEev5GpT7xX8gvbEfx', /must start with t1, t3/],
      [
        'zcWGguu2UPfNhh1ygWW9Joo3osvncsuehtz5ewvXd78vFDdnDCRNG6QeKSZpwZmYmkfEutPVf8HzCfBytqXWsEcF2iBAM1e',
        /must start with t1, t3/,
      ],
    ],
    wrongNetwork: ['tmSMDt4yaEjKn5SDNEEev5GpT7xX8gvbEfx', 'textest1keaj7fzfjfu4v9u8emds8w3dqt3pa2qqlmparl'],
  },
];
