import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client';

export type Settings = Record<string, unknown>;

/** The merchant's settings: free-form JSON. Only some fields have a meaning. */
export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: async () => (await dataOf(api.GET('/api/settings'))) as Settings,
    refetchInterval: false,
  });
}
