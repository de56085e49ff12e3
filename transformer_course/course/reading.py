"""What the lessons and stages send people to, by the key that a source writes in braces: ``{vaswani2017}``."""

import functools
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

KEY = re.compile(r"\{([a-z]+\d{4})\}")


@dataclass(frozen=True)
class Reading:
    """A paper or a page. The year is that of its first version; the venue says when it was published, if it was."""

    authors: str
    title: str
    year: int = 0  # unless the arXiv number begins with it
    venue: str = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""

    @property
    def address(self) -> str:
        """Where it can be opened."""
        return self.url or (f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else f"https://doi.org/{self.doi}")

    @property
    def short(self) -> str:
        """How a text refers to it: a link with its authors and its year."""
        return f"[{self.authors} {self.year or 2000 + int(self.arxiv[:2])}]({self.address})"

    @property
    def full(self) -> str:
        """The same with what people need who have no network: its title, and where it was published."""
        places = [self.venue, f"arXiv:{self.arxiv}" if self.arxiv else "", f"doi:{self.doi}" if self.doi else ""]
        return f"{self.short}, “{self.title}” ({', '.join(filter(None, places))})"


@functools.cache
def readings() -> dict[str, Reading]:
    """Return all readings by their keys."""
    table = Path(__file__).with_name("readings.toml").read_text(encoding="utf-8")
    return {key: Reading(**entry) for key, entry in tomllib.loads(table).items()}
