/**
 * Ends the process with one clear line unless it runs on Node 24 or newer. Call it before any other module is loaded:
 * an older Node fails to link modules that import features it lacks. On Linux, npm scripts use the Node 24 from the
 * installed packages; there is no such package for other systems.
 */
export const requireNode24 = (
  version: string = process.versions.node,
  platform: NodeJS.Platform = process.platform,
): void => {
  if (Number.parseInt(version, 10) >= 24) return;
  const remedy =
    platform === 'linux'
      ? 'Start it with "npm start", which includes the right Node version.'
      : 'Install Node 24 from https://nodejs.org.';
  process.stderr.write(`This service needs Node 24 and runs on ${version}. ${remedy}\n`);
  process.exit(1);
};
