/** Texts of live updates, apart from those of the screens because every page loads them. */
export const texts = {
  integrationStopped: 'An integration stopped.',
  openSeeReason: 'Open it to see the reason.',
};
