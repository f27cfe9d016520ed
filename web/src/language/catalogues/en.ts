const parts = import.meta.glob<Record<string, unknown>>(
  ["../en.json", "../../boards/*/language/en.json", "../../../../src/kemu/people/language/en.json"],
  { import: "default", eager: true },
);
export default Object.assign({}, ...Object.values(parts));
