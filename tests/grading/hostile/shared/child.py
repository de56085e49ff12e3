import gc

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer


def in_its_place(answer):
    child.answer = answer
    return answer
