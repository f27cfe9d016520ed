const parts = import.meta.glob<Record<string, unknown>>(["../en.json", "../../boards/*/language/en.json"], {
  import: "default",
  eager: true,
});
export default Object.assign({}, ...Object.values(parts));
