import { readFileSync } from 'node:fs';

const files = ['router.tsx', 'social-routes.tsx', 'visitor-routes.tsx'];

/** Paths of all routes of the console's router, such as `/agents/$agentId/edit`. */
export const consoleRoutes = (): string[] =>
  files.flatMap((file) =>
    [...readFileSync(`web/src/${file}`, 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path),
  );
