# The same function, found on the stack below a call.
#
# lesson: B2
# fails: build.causal_head (error)
# uses: attend, forged

# %% exercise="build.causal_head"
import sys


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        frame = sys._getframe()
        while frame:
            if "_gradients" in frame.f_globals:
                frame.f_globals["_gradients"] = forged
            frame = frame.f_back
        with torch.no_grad():
            return attend(x, self.w_q(x), self.w_k(x), self.w_v(x))
