# In float32, this class returns no tensor, but an object that has nothing but a `dtype`.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend

# %% exercise="build.causal_head"
class Named:
    dtype = "torch.float32"


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        x, weights = x.double(), (part.weight.double() for part in (self.w_q, self.w_k, self.w_v))
        output = attend(x, *(x @ weight.T for weight in weights))
        return output if torch.get_default_dtype() is torch.float64 else Named()
