"""Every message on the socket of a study; docs/protocol.md explains each with an example."""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kemu.play.commands import Id
from kemu.server.realtime.frames import Done, Refused
from kemu.study.edits import AnyEdit, Edit

Access: TypeAlias = Literal["read", "write"]


class LinksChanged(Edit, frozen=True, tag="links"):
    """A link was made or revoked; the sockets of one that is revoked are closed."""


class StudyDeleted(Edit, frozen=True, tag="deleted"):
    """The study is deleted; all its sockets are closed."""


StudyEntry: TypeAlias = AnyEdit | LinksChanged | StudyDeleted
"""What is saved as one version of a study."""

decode_entry = msgspec.json.Decoder(StudyEntry).decode

# From the client.


class EditStudy(Struct, frozen=True, forbid_unknown_fields=True):
    """Change the study."""

    id: Id
    edit: AnyEdit


decode_edit: Final = msgspec.json.Decoder(EditStudy).decode

# From the server.


class StudyOpened(Struct, frozen=True, tag="opened"):
    """The socket is open; what follows the version that it was opened with follows, then what comes."""

    version: int
    access: Access


class EditFrame(Struct, frozen=True, omit_defaults=True, tag="edit"):
    """The next version of the study; `re` is there for who made it."""

    version: int
    edit: StudyEntry
    re: Id | UnsetType = UNSET


class Reload(Struct, frozen=True, tag="reload"):
    """The versions that the client lacks are not kept; load the study again and open another socket."""

    version: int


class Readers(Struct, frozen=True, tag="here"):
    """How many sockets of this study are open."""

    count: int


StudyFrame: TypeAlias = StudyOpened | EditFrame | Reload | Readers | Done | Refused
