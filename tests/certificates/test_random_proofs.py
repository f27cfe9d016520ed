"""Whatever random proofs a verifier accepts, their claims are true by the rules; both verifiers accept the same."""

from pathlib import Path

from tests.certificates.random_proofs import attempts
from tests.certificates.verifiers import accepts_in_c, accepts_in_python


def test_no_random_proof_of_a_false_claim_is_accepted(program: Path) -> None:
    accepted = 0
    for ending in range(12):
        for attempt in attempts(f"ending {ending}", 40):
            found = accepts_in_python(attempt.text)
            assert attempt.true or not found, attempt.text
            if found or attempt.true:
                assert accepts_in_c(attempt.text, program) == found, attempt.text
            accepted += found
    assert accepted > 20
