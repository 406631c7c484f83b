import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { renewSession, sessionState } from './api/session.ts';
import { createRouter } from './router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/forced-colors.css';

// Runs in parallel with loading the first screen, unless early.ts has done it. The router waits for it and reports a failure.
if (sessionState() === 'starting') renewSession().catch(() => undefined);

const router = createRouter();
const element = document.querySelector('#root');

if (element) {
  createRoot(element).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}
