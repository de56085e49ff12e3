"""The course as pages to read: a site made from the stored notebooks, without running anything."""
