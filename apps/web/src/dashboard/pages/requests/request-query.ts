import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

/** Query key of lists of requests. */
export const requestsKey = ['requests'] as const;

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: () => dataOf(api.GET('/api/v1/merchant/payment-requests/{id}', { params: { path: { id } } })),
  });
