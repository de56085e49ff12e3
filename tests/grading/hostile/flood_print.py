# A hundred megabytes on stdout, on stderr and as the notebook's own outputs. Nobody reads them.
#
# lesson: 03

# %%
import os
import sys

from IPython.display import HTML, display

line = "A" * 10**6
for _ in range(100):
    print(line)
    print(line, file=sys.stderr)
    os.write(1, line.encode())
for _ in range(100):
    display(HTML(line))
    display({"text/plain": line}, raw=True)
