"""The people who play here: whom they follow and block, how strong they are, how they greet. No web, no storage."""
