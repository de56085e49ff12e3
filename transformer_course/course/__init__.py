"""The course as plain objects, read from the sources of its lessons, sheets and stages."""
