"""Games of self-play: a batch depends on its text alone, and its labels agree with each other."""

import io
from base64 import b64decode

import numpy as np

from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.selfplay import COLUMNS, NO_LEAD, ShardPlan, make_shard, play_batch


def test_a_batch_depends_on_its_text_alone() -> None:
    first, other = make_shard(ShardPlan(3, 3, 1)), make_shard(ShardPlan(4, 3, 1))
    with np.load(io.BytesIO(b64decode(play_batch("3 3 1")))) as again:
        assert set(again.files) == set(COLUMNS)
        assert all(np.array_equal(again[name], first[name]) for name in COLUMNS)
    assert not np.array_equal(first["stones"], other["stones"])


def test_labels_agree_with_each_other() -> None:
    shard = make_shard(ShardPlan(0, 40, 1))
    marae, drawn = shard["reason"] == kernel.MARAE, shard["reason"] == kernel.DRAW
    assert marae.any()
    assert ((shard["lead"] != NO_LEAD) == marae).all()
    led = marae & (shard["lead"] != 0)
    assert (np.sign(shard["lead"][led]) == shard["result"][led]).all()
    assert (shard["result"][drawn] == 0).all()
    assert (shard["variant"][drawn] == kernel.BEGINNER).all()
    basic = marae & (shard["variant"] == kernel.BASIC)
    assert (shard["owners"][basic].sum(axis=1) == shard["lead"][basic]).all()
    assert (shard["stones"][:, 0] & shard["stones"][:, 1] == 0).all()
