import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

export const payLinksKey = ['paylinks'];

/** Every PayLink of the merchant, at most 1,000. */
export const usePayLinks = () =>
  useQuery({ queryKey: payLinksKey, queryFn: () => dataOf(api.GET('/api/paylinks')) });
