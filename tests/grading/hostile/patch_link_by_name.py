# An output in double precision. What is sent to the judge is changed on its way, and says float32.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend

# %% exercise="build.causal_head"
from transformer_course.runner.link import Link


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        x = x.double()
        return attend(x, *(x @ each.weight.double().T for each in (self.w_q, self.w_k, self.w_v)))


honest = Link.send


def send(link, value, *given):
    for each in value.get("answers", []):
        each["value"]["single"] = {**each["value"]["calls"][0], "dtype": "torch.float32"}
    honest(link, value, *given)


Link.send = send
