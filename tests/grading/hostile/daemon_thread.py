# A thread that keeps running and sends its own bytes to the grader. It costs the question that is asked meanwhile.
#
# lesson: 03
# fails: attention.saturated (ended|timeout)
# uses: child

# %% exercise="attention.one_way"
import threading
import time

w_k = np.eye(3)
one_way = (9 * np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), w_k)


def later(link):
    time.sleep(0.02)
    link.end.sendall(b"\0" * 1000)


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "verdict":
        threading.Thread(target=later, args=(link,)).start()
        time.sleep(0.2)
    return honest(link, value, ask)
