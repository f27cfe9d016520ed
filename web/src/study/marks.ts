// Marks as people type them: cells and arrows between two, such as "f6 f6>i11".
import type { Mark } from "./chapter";

const WORD = /^([^\s[\]{}\\>]{1,20})(?:>([^\s[\]{}\\>]{1,20}))?$/;

export function marksText(marks: readonly Mark[]): string {
  return marks.map((mark) => ("cell" in mark ? mark.cell : `${mark.from}>${mark.to}`)).join(" ");
}

/** The marks of a text, each once; undefined if a word is none. */
export function marksFrom(text: string): Mark[] | undefined {
  const words = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  const marks = words.map((word): Mark | undefined => {
    const [, cell, to] = WORD.exec(word) ?? [];
    if (cell === undefined) return undefined;
    return to === undefined ? { cell } : { from: cell, to };
  });
  return marks.every((mark) => mark !== undefined) ? marks : undefined;
}
