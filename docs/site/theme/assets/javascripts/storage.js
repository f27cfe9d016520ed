// The functions that Material's bundle stores choices with. Material writes them into every page; the server of Kemu
// allows no script inside a page, so they are a file.
var __md_scope = new URL(document.currentScript.dataset.base, location);
var __md_hash = (text) => [...text].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) | 0, 0);
var __md_get = (key, storage = localStorage, scope = __md_scope) =>
  JSON.parse(storage.getItem(`${scope.pathname}.${key}`));
var __md_set = (key, value, storage = localStorage, scope = __md_scope) => {
  try {
    storage.setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // The reader does not allow storage: the choice lasts as long as the page.
  }
};
