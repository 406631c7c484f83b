// A file, because the CSP forbids inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem('preferences') ?? 'null');
  } catch {
    // The system's theme applies.
  }
  const { dataset } = document.documentElement;
  if (chosen?.theme === 'light' || chosen?.theme === 'dark') dataset.theme = chosen.theme;
  if (chosen?.density === 'compact') dataset.density = 'compact';
  if (chosen?.reduceMotion === true) dataset.motion = 'reduced';
  if (chosen?.isSidebarFolded === true) dataset.sidebar = 'folded';
})();
