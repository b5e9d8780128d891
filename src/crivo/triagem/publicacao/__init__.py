"""A result that is published: frozen as a version, with a digest and a code by which anybody finds it again."""
