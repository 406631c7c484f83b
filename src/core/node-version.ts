/**
 * Ends the process with one clear line unless it runs on Node 24 or newer. To be called before anything else is
 * loaded: an older Node already fails to link modules that import what it lacks. `npm start` and the other scripts get
 * Node 24 from the installed packages, whatever the machine has.
 */
export const requireNode24 = (version: string = process.versions.node): void => {
  if (Number.parseInt(version, 10) >= 24) return;
  process.stderr.write(
    `This service needs Node 24 and runs on ${version}. Start it with "npm start", which brings its own Node.\n`,
  );
  process.exit(1);
};
