"""From the sources of lessons and sheets to their notebooks."""
