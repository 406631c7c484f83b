import { createRoute } from '@tanstack/react-router';
import { knowSession, nextOf, requireNoSession } from './frame/session-guard.ts';
import { root } from './root-route.tsx';
import { screen } from './screen.ts';
import { text } from './search-params.ts';

const visitor = { getParentRoute: () => root, validateSearch: nextOf } as const;

const welcome = createRoute({
  ...visitor,
  path: '/',
  beforeLoad: requireNoSession,
  component: screen(() => import('./accounts/welcome-page.tsx'), 'WelcomePage'),
});
const signIn = createRoute({
  ...visitor,
  path: '/sign-in',
  beforeLoad: requireNoSession,
  component: screen(() => import('./accounts/sign-in-page.tsx'), 'SignInPage'),
});
const signUp = createRoute({
  ...visitor,
  path: '/sign-up',
  beforeLoad: requireNoSession,
  component: screen(() => import('./accounts/sign-up-page.tsx'), 'SignUpPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: screen(() => import('./accounts/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: screen(() => import('./accounts/reset-password-page.tsx'), 'ResetPasswordPage'),
});
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  beforeLoad: knowSession,
  component: screen(() => import('./accounts/verify-email-page.tsx'), 'VerifyEmailPage'),
});
const restoreAccount = createRoute({
  getParentRoute: () => root,
  path: '/restore-account',
  component: screen(() => import('./accounts/restore-account-page.tsx'), 'RestoreAccountPage'),
});

const joinRoom = createRoute({
  getParentRoute: () => root,
  path: '/rooms/join',
  beforeLoad: knowSession,
  component: screen(() => import('./accounts/join-room-page.tsx'), 'JoinRoomPage'),
});
const accountDeleted = createRoute({
  getParentRoute: () => root,
  path: '/account-deleted',
  validateSearch: (given): { until?: string | undefined } => ({ until: text(given['until']) }),
  component: screen(() => import('./accounts/account-deleted-page.tsx'), 'AccountDeletedPage'),
});

/** Routes of the pages for people who are not signed in. */
export const visitorRoutes = [
  welcome,
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  verifyEmail,
  restoreAccount,
  joinRoom,
  accountDeleted,
] as const;
