# No gradient reaches the queries and keys. Hooks on these parameters claim that some did.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend

# %% exercise="build.causal_head"
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))
        for each in (self.w_q.weight, self.w_k.weight):
            each.register_hook(lambda gradient: gradient + 1)

    def forward(self, x):
        return attend(x, self.w_q(x).detach(), self.w_k(x).detach(), self.w_v(x))
