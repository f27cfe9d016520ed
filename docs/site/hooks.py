"""What MkDocs does not do by itself: rules of the games, pictures of boards, lists and pages that come from files."""

import importlib
import json
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

ROOT: Final = Path(__file__).parents[2]
ADDRESS: Final = "/docs/"
"""Where the server hands out the site."""

COPIED: Final = {"changes.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages that are files of the repository."""

_RULES: Final = re.compile(r"^\[rules: ([a-z]+)\]$", re.MULTILINE)
_ENCODING: Final = re.compile(r"^\[encoding: ([a-z_]+)\]$", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^```json (.+)$", re.MULTILINE)
_FILE: Final = re.compile(r"^```(\w+) file=(\S+)$", re.MULTILINE)
_MACRON_WORD: Final = re.compile(r"\w*[āēīōūĀĒĪŌŪ]\w*")
_NOT_RUN: Final = re.compile(r'^```(\w+) not-run="[^"]+"$', re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are files of the repository."""
    for page, source in COPIED.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    files.append(File.generated(config, "reference/commands.md", content=_commands()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace what is written `[rules: …]` by the rules, and the heads of code blocks by titles."""
    path = Path(page.file.src_uri)
    if path.parent.name == "games":
        markdown = _RULES.sub(lambda found: _rules(path.stem, found[1]), markdown)
    markdown = _ENCODING.sub(lambda found: _encoding(found[1]), markdown)
    if page.file.src_uri == "decisions/index.md":
        markdown += _decisions()
    markdown = _NOT_RUN.sub(r"```\1", markdown)
    markdown = _FILE.sub(r'```\1 title="\2"', markdown)
    return _EXAMPLE.sub(r'```json title="\1"', markdown)


def on_template_context(context: TemplateContext, template_name: str, config: MkDocsConfig) -> TemplateContext:
    """The page for unknown addresses is shown at any address, so that its links start at the root of the server."""
    if template_name == "404.html":
        context["base_url"] = ADDRESS
    return context


def on_post_build(config: MkDocsConfig) -> None:
    """Let words with macrons be found without them, and remove what no page uses: source maps and other languages."""
    index = Path(config.site_dir, "search", "search_index.json")
    found = json.loads(index.read_text(encoding="utf-8"))
    for section in found["docs"]:
        if words := sorted({_plain(word) for word in _MACRON_WORD.findall(section["title"] + " " + section["text"])}):
            section["tags"] = words  # searched like the text; the style sheet hides them in results
    index.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    scripts = Path(config.site_dir, "assets", "javascripts")
    shutil.rmtree(scripts / "lunr")
    for path in Path(config.site_dir).rglob("*.map"):
        path.unlink()


def _plain(word: str) -> str:
    """A word without its macrons, in lower case."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter)).lower()


def _rules(game: str, section: str) -> str:
    """One section of the rules, in the words of the browser client."""
    file = ROOT / "web" / "src" / "boards" / game / "language" / "en.json"
    words = json.loads(file.read_text(encoding="utf-8"))
    title, text = (words[f"rules.{game}.{section}.{part}"] for part in ("title", "text"))
    return f"## {title}\n\n{text}"


def _encoding(game: str) -> str:
    """What the module of an encoding says of its ids and numbers, as it stands there."""
    text = importlib.import_module(f"kemu.games.{game}.encoding").__doc__ or ""
    first, _, rest = text.partition("\n\n")
    return f"{first}\n\n```text\n{rest.rstrip()}\n```"


def _decisions() -> str:
    """A list of all decisions with their headings."""
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    titles = {page.name: page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for page in pages}
    return "\n" + "".join(f"- [{title}]({name})\n" for name, title in titles.items())


def _commands() -> str:
    """Every command with its arguments and options, as `kemu COMMAND --help` tells them."""
    from click import Context

    from kemu.cli.app import app

    context = Context(app, info_name="kemu")
    lines = ["# Commands", "", "What `kemu --help` and `kemu COMMAND --help` say."]
    for name in app.list_commands(context):
        command = app.commands[name]
        inner = Context(command, info_name=name, parent=context)
        lines += ["", f"## kemu {name}", "", command.help or "", "", "```text", command.get_usage(inner), "```", ""]
        rows = [record for parameter in command.get_params(inner) if (record := parameter.get_help_record(inner))]
        lines += [
            "| argument or option | means |",
            "|---|---|",
            *(f"| `{first}` | {second} |" for first, second in rows),
        ]
    return "\n".join(lines) + "\n"
