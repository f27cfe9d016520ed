const parts = import.meta.glob<Record<string, unknown>>(
  ["../fr.json", "../../boards/*/language/fr.json", "../../../../src/kemu/people/language/fr.json"],
  { import: "default", eager: true },
);
export default Object.assign({}, ...Object.values(parts));
