# Looks for files that earlier submissions left behind, and for files that its neighbour is writing now.
#
# lesson: 03

# %%
import os

left = []
for place in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/dev/mqueue", "/dev/pts"):
    if os.path.isdir(place):
        left += [os.path.join(place, name) for name in os.listdir(place)]
assert left == [], left
with open("/tmp/left-by-hostile", "w") as file:
    file.write("the answer to the first question is …")
