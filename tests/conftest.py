"""What all tests share: Hypothesis tries the same examples on every run and leaves nothing behind."""

from hypothesis import settings

settings.register_profile("kemu", derandomize=True, deadline=None, database=None)
settings.load_profile("kemu")
