"""Schemathesis makes requests of every kind from the OpenAPI document; the server keeps to what it says there."""

from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kemu.server.app import create_app
from kemu.server.settings import Settings
from tests.server.live_server import LiveServer

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

schema = schemathesis.openapi.from_dict(create_app(Settings("memory")).api.openapi_schema.to_schema())


@pytest.mark.no_cover  # hundreds of requests; each route is measured where it is tested
@schema.parametrize()
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server(case: Any, server: LiveServer) -> None:
    response = case.call(base_url=server.url)
    case.validate_response(response, checks=CHECKS)
    if response.status_code >= 400:
        assert response.json().keys() == {"code", "message"}


def test_the_document_has_every_address_and_needs_nothing_from_outside(server: LiveServer) -> None:
    document = server.client().get("/schema/openapi.json")
    assert {"/api/me", "/api/matches", "/api/matches/{match}/join", "/api/replay", "/health"} <= document[
        "paths"
    ].keys()
    assert server.client().request("GET", "/schema/swagger").status_code == 404


def test_the_socket_has_a_schema_that_its_messages_keep_to(server: LiveServer) -> None:
    document = server.client().get("/api/schema")
    frames = {"$schema": document["$schema"], "$defs": document["$defs"], **document["frames"]}
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "bot", "bot": "random"}, clock={"kind": "game", "seconds": 60})["id"]
    socket = hine.open(match)
    messages = [socket.receive(), socket.receive(), socket.act("1-0", 1), socket.until(type="event")]
    messages += [socket.do(do="ping"), socket.do(do="offer", what="draw"), socket.do(do="full"), socket.do(do="resign")]
    for message in messages:
        jsonschema.validate(message, frames)
