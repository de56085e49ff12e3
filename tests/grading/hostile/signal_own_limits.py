# Limits its own processor time and open files to almost nothing. That costs its answer; the next process has them back.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: too much computing time

# %% exercise="attention.scaled_dot_product"
import resource


def scaled_dot_product(query, key, value):
    for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
