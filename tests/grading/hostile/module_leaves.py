# A forward pass that ends the process: the other stages' classes are not lost.
#
# lesson: B4
# fails: build.feed_forward (ended)
# fails: build.block (mistake|value|error|ended)
# fails: build.gpt (mistake|value|error|ended)
# says: ended its own process


# %% exercise="build.feed_forward"
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        import os

        os._exit(3)
