// The build puts the texts of this language here: see vite.config.ts.
export default {};
