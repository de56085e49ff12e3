import matplotlib as mpl

mpl.use("agg")  # where there is no screen
