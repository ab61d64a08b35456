import { text, url } from '@tollbridge/config';

/** The settings of this provider, for the app that uses it. */
export const lifiSettings = {
  LIFI_URL: url(['http', 'https'], {
    description: 'LI.FI API for swaps on one chain and across chains; empty turns it off',
    example: 'https://li.quest/v1',
    default: '',
  }),
  LIFI_API_KEY: text({
    description: 'key of LI.FI; without one it answers some 75 quotes in two hours',
    example: 'f0c1…',
    default: '',
    isSecret: true,
  }),
  LIFI_INTEGRATOR: text({
    description: "the integrator's name at LI.FI; empty sends none",
    example: 'tollbridge',
    default: '',
  }),
};
