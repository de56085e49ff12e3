# An answer that is right when it is asked with arrays and raises with tensors, and one that is right for every other question.
#
# lesson: 02
# fails: attention.self_attention (value|shape|error|property|mistake)

# %% exercise="attention.self_attention"
asked = []


def self_attention(x, w_q, w_k, w_v):
    asked.append(x)
    scores = x @ w_q @ (x @ w_k).T / np.sqrt(w_k.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ (x @ w_v) + len(asked) % 2
