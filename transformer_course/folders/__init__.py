"""The folders that people work in: filled from the course and kept up to date, without overwriting any changes."""
