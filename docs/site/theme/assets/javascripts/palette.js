// Sets the colours before the page is painted: those chosen before, else those of the system.
(() => {
  const chosen = __md_get("__palette")?.color;
  const follows = !chosen || chosen.media === "(prefers-color-scheme)";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const media = follows ? `(prefers-color-scheme: ${dark ? "dark" : "light"})` : chosen.media;
  const option = document.querySelector(`[data-md-color-media="${media}"]`);
  for (const name of ["media", "scheme", "primary", "accent"]) {
    document.body.setAttribute(`data-md-color-${name}`, option.getAttribute(`data-md-color-${name}`));
  }
})();
