import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cache } from './cache.ts';

/** Provides the query cache to its children. */
export const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={cache}>{children}</QueryClientProvider>
);
