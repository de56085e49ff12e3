"""From a notebook to its verdicts, on this computer or on a cluster."""
