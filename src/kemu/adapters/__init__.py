"""Kemu's games behind the interfaces of other libraries; each module needs the extra of its name."""
