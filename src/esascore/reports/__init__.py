"""What people and programs read: tables of systems, JSON lines, files written wholly or not at all."""
