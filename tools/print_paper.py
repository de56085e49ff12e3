"""Write the exit tickets into docs/paper, and print its pages to PDF files next to them, with Chromium.

After changing a page or a ticket, run ``make paper``.
"""

import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from transformer_course.workshop import leader_pages
from transformer_course.workshop.exit_tickets import stems
from transformer_course.workshop.plans import PLANS

PAPER = Path(__file__).parents[1] / "docs" / "paper"


def main() -> None:
    for plan in PLANS.values():
        for day, stem in enumerate(stems(plan.name), 1):
            (PAPER / f"{stem}.html").write_text(leader_pages.ticket(plan, day, answers=False) + "\n", encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        for sheet in sorted(PAPER.glob("*.html")):
            page.goto(sheet.as_uri())
            printed = page.pdf(prefer_css_page_size=True)
            # The time of printing is replaced, so that the same page always gives the same file.
            sheet.with_suffix(".pdf").write_bytes(re.sub(rb"(?<=Date \(D:)\d{14}", b"20260101000000", printed))
            print(f"{sheet.stem}.pdf: {len(printed) // 1000} kB")
        browser.close()


if __name__ == "__main__":
    main()
