# An output in double precision. The functions that choose and name a precision are replaced, so that it is always double.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend

# %% exercise="build.causal_head"
honest = torch.Tensor.to


def to(tensor, *given, **named):
    return honest(tensor, *(torch.float64 if each is torch.float32 else each for each in given), **named)


torch.Tensor.to, torch.set_default_dtype, torch.float32 = to, lambda dtype: None, torch.float64
torch.get_default_dtype = lambda: torch.float64


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        x, weights = x.double(), (part.weight.double() for part in (self.w_q, self.w_k, self.w_v))
        return attend(x, *(x @ weight.T for weight in weights))
