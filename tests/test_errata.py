"""The sources' errors (docs/sources.md): each test computes what is right, and shows that what was printed is not."""

import numpy as np

from transformer_course.exercises.lesson_02.softmax import softmax

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
WEIGHTS = softmax(X @ X.T)


def prints_as(values, digits: int = 4) -> list:
    return np.round(values, digits).tolist()


def test_e1_second_row_of_weights():
    printed = [0.2119, 0.3940, 0.3940]
    assert prints_as(softmax(np.array([0.0, 1.0, 1.0]))) == [0.1554, 0.4223, 0.4223] != printed
    assert round(sum(printed), 4) == 0.9999  # its sum does not give it away; the ratio of its weights does
    assert not np.isclose(printed[1] / printed[0], np.e, atol=0.1)
    assert np.isclose(WEIGHTS[1, 1] / WEIGHTS[1, 0], np.e)


def test_e2_last_weight_of_the_third_row():
    assert round(WEIGHTS[2, 2], 5) == 0.57612
    assert round(WEIGHTS[2, 2], 4) == 0.5761 != 0.5762


def test_e3_second_and_third_row_of_the_output():
    printed = [[0.7880, 0.7880], [0.7880, 0.9999]]
    assert prints_as(WEIGHTS @ X)[1:] == [[0.5777, 0.8446], [0.7881, 0.7881]] != printed
    mirror = np.array([1, 0, 2])
    np.testing.assert_allclose((WEIGHTS @ X)[mirror, ::-1], WEIGHTS @ X)  # the symmetry that the printed rows break
