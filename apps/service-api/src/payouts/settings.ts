import { text } from '@tollbridge/config';

export const payoutSettings = {
  CHAINS_FILE: text({
    description:
      'JSON file of the chains with their nodes: on the EVM chains in it payouts can be previewed and submitted; empty turns payouts off',
    example: './chains.json',
    default: '',
  }),
};
