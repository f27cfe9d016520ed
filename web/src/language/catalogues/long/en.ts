// The build puts what the first page does not say here: see vite.config.ts.
export default {};
