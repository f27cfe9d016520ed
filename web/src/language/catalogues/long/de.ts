// The build puts the rules and lessons of this language here: see vite.config.ts.
export default {};
