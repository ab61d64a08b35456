import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { SecretKeyProvider } from './api/secret-key';
import './base.css';
import { ToastProvider } from './parts/toasts';
import { router } from './router';
import { SessionGate } from './session/session-gate';

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <SessionGate>
          <SecretKeyProvider>
            <RouterProvider router={router} />
          </SecretKeyProvider>
        </SessionGate>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
