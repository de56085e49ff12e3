# An output in double precision, as an object whose `dtype` says float32.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend

# %% exercise="build.causal_head"
class Tensor(torch.Tensor):
    @property
    def dtype(self):
        return torch.float32 if torch.get_default_dtype() is torch.float32 else torch.float64


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        x, weights = x.double(), (part.weight.double() for part in (self.w_q, self.w_k, self.w_v))
        return attend(x, *(x @ weight.T for weight in weights)).as_subclass(Tensor)
