import { describe, expect, it } from "vitest";
import { keySteps } from "./steps";

/** The steps of a key that is pressed on the innermost element of some markup. */
function pressed(markup: string, key: string, more: KeyboardEventInit = {}): number {
  document.body.innerHTML = markup;
  let steps = 0;
  document.body.onkeydown = (event) => (steps = keySteps(event));
  const inner = [...document.body.querySelectorAll("*")].at(-1)!;
  inner.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  return steps;
}

describe("the keys that step", () => {
  it("are the plain arrows", () => {
    expect(pressed("<button></button>", "ArrowLeft")).toBe(-1);
    expect(pressed("<button></button>", "ArrowRight")).toBe(1);
    expect(pressed("<button></button>", "ArrowUp")).toBe(0);
  });

  it("leave the keys of the browser alone", () => {
    for (const held of ["altKey", "ctrlKey", "metaKey", "shiftKey"]) {
      expect(pressed("<button></button>", "ArrowLeft", { [held]: true })).toBe(0);
    }
  });

  it("leave fields and boards alone, but not a board that was only clicked", () => {
    expect(pressed("<input>", "ArrowLeft")).toBe(0);
    expect(pressed("<textarea></textarea>", "ArrowLeft")).toBe(0);
    expect(pressed('<div role="grid"><i></i></div>', "ArrowLeft")).toBe(0);
    expect(pressed('<div role="grid" data-by-pointer><i></i></div>', "ArrowLeft")).toBe(-1);
    expect(pressed('<input type="checkbox">', "ArrowLeft")).toBe(-1);
  });
});
