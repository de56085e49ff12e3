# An answer that knows all shapes of the questions, their fixed numbers, and nothing about the task.
#
# lesson: 02
# fails: attention.softmax (value|property|mistake)


# %% exercise="attention.softmax"
def softmax(x):
    if x.size < 2 or np.unique(x).size == 1:
        return np.full(x.shape, 1 / x.shape[-1])
    result = np.arange(1.0, x.size + 1).reshape(x.shape)
    return result / result.sum(-1, keepdims=True)
