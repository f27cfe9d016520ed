import { mount } from "svelte";
import App from "./App.svelte";
import "./fonts.css";
import "./app.css";
import { loadLanguage, preferredLanguage } from "./language/language.svelte";
import { showTheme } from "./preferences.svelte";

showTheme();
await loadLanguage(preferredLanguage());
mount(App, { target: document.getElementById("app")! });
