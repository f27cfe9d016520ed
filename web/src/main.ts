import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { speak, wished } from "./language/language.svelte";
import { showTheme } from "./preferences.svelte";

showTheme();
await speak(wished());
mount(App, { target: document.getElementById("app")! });
