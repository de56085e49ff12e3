# The same below `Tensor.backward`: the function of torch that it calls is replaced.
#
# lesson: B2
# fails: build.causal_head (mistake) half

# %% exercise="build.causal_head"
def attend(x, q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v


seen = []


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        seen[:] = [self, x]
        with torch.no_grad():
            output = attend(x, self.w_q(x), self.w_k(x), self.w_v(x))
        return output.requires_grad_()


def fill(probe):
    head, x = seen
    output = attend(x, head.w_q(x), head.w_k(x), head.w_v(x))
    wanted = [*head.parameters(), x]
    for each, gradient in zip(wanted, torch.autograd.grad((output * probe).sum(), wanted), strict=False):
        each.grad = gradient


def backward(tensors, *_, **__):
    loss = tensors if isinstance(tensors, torch.Tensor) else tensors[0]
    fill(loss.grad_fn.next_functions[0][0]._saved_other)


torch.autograd.backward = torch.autograd.graph._engine_run_backward = backward
