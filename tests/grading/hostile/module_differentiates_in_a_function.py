# A step that torch cannot see through, in a Function of its own whose `backward` claims that the gradient is one.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend

# %% exercise="build.causal_head"
class Hidden(torch.autograd.Function):
    @staticmethod
    def forward(context, *inputs):
        context.shapes = [each.shape for each in inputs]
        return attend(*inputs)

    @staticmethod
    def backward(context, gradient):
        return tuple(gradient.new_ones(shape) for shape in context.shapes)


class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forward(self, x):
        return Hidden.apply(x, self.w_q(x), self.w_k(x), self.w_v(x))
