"""Wordings learned from inputs and their reference texts alone, without any annotation."""
