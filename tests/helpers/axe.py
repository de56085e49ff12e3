"""What axe-core finds in a page: faults that keep people who use a keyboard or a screen reader from reading it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def serious_faults(page: Page, within: list[str] | None = None) -> list[str]:
    """Return a line for each serious or critical fault in the page, or in the parts of it that these selectors name."""
    found = Axe().run(page, within).response["violations"]
    return [
        f"{fault['id']}: {node['target']}: {node['failureSummary']}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
