"""What a published result, or the dossier of a project, goes out as."""
