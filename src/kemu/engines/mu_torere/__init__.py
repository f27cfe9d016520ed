"""The strong solution of Mū tōrere."""
