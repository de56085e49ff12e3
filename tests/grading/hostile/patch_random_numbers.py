# Random numbers in the output, and functions that set and keep torch's random numbers replaced.
#
# lesson: B2
# fails: build.causal_head (value|mistake|error)
# uses: attend

# %% exercise="build.causal_head"
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        torch.random.manual_seed = torch.manual_seed = torch.random.fork_rng = lambda *_, **__: None
        torch.default_generator = torch.Generator()
        return attend(x, self.w_q(x), self.w_k(x), self.w_v(x)) + 0.01 * torch.randn(1)
