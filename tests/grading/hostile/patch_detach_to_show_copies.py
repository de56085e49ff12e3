# `forward` changes its input. Whoever then reads the input gets a copy that was made before.
#
# lesson: B4
# fails: build.layer_norm (mistake) half
# fails: build.block (value)

# %% exercise="build.layer_norm"
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps, self.gamma, self.beta = eps, nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        copies[x.data_ptr()] = honest(x).clone()
        x.data -= x.data.mean(-1, keepdim=True)
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta


copies, honest = {}, torch.Tensor.detach
torch.Tensor.detach = lambda tensor: copies.get(tensor.data_ptr(), honest(tensor))
