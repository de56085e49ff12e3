# Closes the half of the connection on which it answers, and goes on as if nothing had happened.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: a closed connection to the grader

# %% exercise="attention.scaled_dot_product"
import os
import socket
import stat
import time


def scaled_dot_product(query, key, value):
    for end in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(end).st_mode):
                socket.socket(fileno=os.dup(end)).shutdown(socket.SHUT_WR)
        except OSError:
            continue
    time.sleep(10**6)
