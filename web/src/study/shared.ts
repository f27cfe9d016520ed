// A study that several people edit: a name and chapters with ids, changed by the same edits here and on the server.
import type { AnyEdit, SharedChapter } from "../wire/types";
import { edited, readChapter, type Chapter, type Edit } from "./chapter";

export interface ChapterWithId {
  id: string;
  chapter: Chapter;
}

export interface SharedStudy {
  name: string;
  chapters: ChapterWithId[];
}

export function readStudy(name: string, chapters: SharedChapter[]): SharedStudy {
  return { name, chapters: chapters.map((each) => ({ id: each.id, chapter: readChapter(each) })) };
}

/** The study after an edit; an edit of something that is not there changes nothing. */
export function applied(study: SharedStudy, edit: AnyEdit): SharedStudy {
  switch (edit.op) {
    case "rename":
      return { ...study, name: edit.name };
    case "add-chapter":
      if (study.chapters.some(({ id }) => id === edit.chapter)) return study;
      return { ...study, chapters: [...study.chapters, { id: edit.chapter, chapter: readChapter(edit.document) }] };
    case "remove-chapter":
      return { ...study, chapters: study.chapters.filter(({ id }) => id !== edit.chapter) };
    case "move-chapter": {
      const moved = study.chapters.filter(({ id }) => id === edit.chapter);
      const others = study.chapters.filter(({ id }) => id !== edit.chapter);
      return { ...study, chapters: others.toSpliced(edit.to, 0, ...moved) };
    }
    case "rename-chapter":
      return changed(study, edit.chapter, (chapter) => ({ ...chapter, name: edit.name }));
    default:
      return changed(study, edit.chapter, (chapter) => edited(chapter, edit as Edit));
  }
}

function changed(study: SharedStudy, id: string, change: (chapter: Chapter) => Chapter): SharedStudy {
  const at = study.chapters.findIndex((each) => each.id === id);
  const found = study.chapters[at];
  if (!found) return study;
  return { ...study, chapters: study.chapters.with(at, { id, chapter: change(found.chapter) }) };
}
