const parts = import.meta.glob<Record<string, unknown>>(
  ["../de.json", "../../boards/*/language/de.json", "../../../../src/kemu/people/language/de.json"],
  { import: "default", eager: true },
);
export default Object.assign({}, ...Object.values(parts));
