"""The names that Moodle gives to what learners hand in: "Anna Lee_123_assignsubmission_file_" is a folder of Anna Lee's.

123 is the participant's number, which is also in Moodle's grading worksheet. Without folders, the file's own name comes after
that. Source: Moodle's assignment activity (mod/assign), "Download all submissions".
"""

import re

NAME = re.compile(r"(?P<learner>.+?)_(?P<number>\d{1,18})_assignsubmission_(?:file|onlinetext)(?:_.*)?", re.DOTALL)


def split(name: str) -> tuple[str, str]:
    """Return the learner and the participant's number; for any other name, the name itself and an empty string."""
    found = NAME.fullmatch(name)
    return (found["learner"], found["number"]) if found else (name, "")
