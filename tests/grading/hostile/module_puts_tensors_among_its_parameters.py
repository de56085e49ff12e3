# Plain tensors where nn.Module keeps its parameters: they have the right names, but they are no parameters.
#
# lesson: B2
# fails: build.causal_head (mistake)
# uses: attend

# %% exercise="build.causal_head"
class Projection(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self._parameters["weight"] = torch.randn(d_head, d_model, requires_grad=True)

    def forward(self, x):
        return x @ self.weight.T


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (Projection(d_model, d_head) for _ in range(3))

    def forward(self, x):
        return attend(x, self.w_q(x), self.w_k(x), self.w_v(x))
