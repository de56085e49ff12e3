"""What lies in a room's folder, and how it is put in order."""
