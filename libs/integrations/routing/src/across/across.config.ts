import { text, UnusableValue, url } from '@tollbridge/config';

/** The settings of this provider, for the app that uses it. */
export const acrossSettings = {
  ACROSS_URL: url(['http', 'https'], {
    description: 'Across Swap API for swaps to another chain; empty turns it off',
    example: 'https://app.across.to/api',
    default: '',
  }),
  ACROSS_API_KEY: text({
    description: 'key of Across; its main network asks for one',
    example: 'acx_…',
    default: '',
    isSecret: true,
  }),
  ACROSS_INTEGRATOR_ID: {
    description: "the two bytes of the integrator's id at Across; empty sends none",
    example: '0xdead',
    default: '',
    read: (value: string) => {
      if (!/^0x[0-9a-fA-F]{4}$/.test(value)) throw new UnusableValue('must be 0x and four hex digits');
      return value;
    },
  },
};
