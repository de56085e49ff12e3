# Classes whose constructor or forward pass never ends cost their own mark only.
#
# lesson: B4
# fails: build.feed_forward (timeout)
# fails: build.layer_norm (timeout)
# fails: build.block (error|timeout)
# fails: build.gpt (error|timeout)
# says: was stopped after


# %% exercise="build.feed_forward"
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        while True:
            pass


# %% exercise="build.layer_norm"
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        while True:
            pass
