// Before anything is painted: the colours that the reader chose, or the page would flash in others.
// No module, since modules wait for the whole page. theme.js remembers the choice.

try {
  const chosen = localStorage.getItem('regard-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing.
}
